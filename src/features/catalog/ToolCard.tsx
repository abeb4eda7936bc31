import { memo, useId } from 'react';
import type { Tool } from '../../contract/entities';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { ButtonLink } from '../../ui/Button';
import { Picture } from '../../ui/Picture';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { shortFactsOf } from '../../contract/toolDescription';
import {
  CardFooter,
  Description,
  DescriptionBox,
  HardFacts,
  More,
  Name,
  OutOfStockNote,
  Price,
  Stock,
  ToolBody,
  ToolItem,
  type Cut,
} from './cardStyle';
import { stockNote } from './toolStock';
import { ToolLink } from './ToolLink';

const SIZES = '(min-width: 1024px) 384px, 50vw';

/** About this many characters fit into three lines on phones and into two elsewhere. A longer description is cut. */
const CHARACTERS_ON_PHONES = 60;
const CHARACTERS_ON_WIDE_SCREENS = 88;

function cutOf(description: string): Cut {
  const { length } = description;
  if (description.includes('\n')) return 'always';
  if (length <= CHARACTERS_ON_PHONES) return 'never';
  return length <= CHARACTERS_ON_WIDE_SCREENS ? 'onPhones' : 'always';
}

export const ToolCard = memo(function ToolCard({ tool }: { tool: Tool }) {
  const nameId = useId();
  const note = stockNote(tool);
  const cut = cutOf(tool.description);
  return (
    <ToolItem>
      <ToolLink id={tool._id} tabIndex={-1} aria-hidden="true">
        <Picture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={400} height={240} />
      </ToolLink>
      <ToolBody>
        <Name id={nameId} dir="auto">
          <ToolLink id={tool._id}>{tool.name}</ToolLink>
        </Name>
        <Price>
          <p>{`Price: $ ${formatWithCommas(tool.price)}`}</p>
          per piece
        </Price>
        <HardFacts dir="auto">
          {shortFactsOf(tool.description).map((fact) => (
            <span key={fact}>{`${keepUnitsTogether(fact)} `}</span>
          ))}
        </HardFacts>
        <DescriptionBox dir="auto">
          <Description $cut={cut}>{tool.description}</Description>
          {cut !== 'never' && (
            <More id={tool._id} $cut={cut} tabIndex={-1} aria-hidden="true">
              More
            </More>
          )}
        </DescriptionBox>
        <Stock>
          <p>{`Available: ${formatWithCommas(tool.availableQuantity)} piece`}</p>
          <p>{`Minimum Order: ${formatWithCommas(tool.minimumOrderQuantity)}`}</p>
          {note && <OutOfStockNote>{note}</OutOfStockNote>}
        </Stock>
        <CardFooter>
          <ButtonLink to={`/purchase/${tool._id}`} variant="outline" wide aria-describedby={nameId}>
            Purchase
          </ButtonLink>
        </CardFooter>
      </ToolBody>
    </ToolItem>
  );
});
