import { memo, useId, useState } from 'react';
import type { Tool } from '../../contract/entities';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { ButtonLink } from '../../ui/Button';
import { EnlargeablePicture } from '../../ui/EnlargeablePicture';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { shortFactsOf } from '../../contract/toolDescription';
import {
  CardFooter,
  Description,
  DescriptionBox,
  HardFacts,
  MoreButton,
  MoreDetails,
  Name,
  OutOfStockNote,
  Price,
  Stock,
  ToolBody,
  ToolItem,
  type Cut,
} from './cardStyle';

const SIZES = '(min-width: 1024px) 384px, 50vw';

/** About this many characters fit into two lines. A longer description is cut after the second line. */
const CHARACTERS_ON_PHONES = 40;
const CHARACTERS_ON_WIDE_SCREENS = 88;

function cutOf(description: string): Cut {
  const { length } = description;
  if (description.includes('\n')) return 'always';
  if (length <= CHARACTERS_ON_PHONES) return 'never';
  return length <= CHARACTERS_ON_WIDE_SCREENS ? 'onPhones' : 'always';
}

function stockNote({ availableQuantity, minimumOrderQuantity }: Tool): string | null {
  if (availableQuantity >= minimumOrderQuantity) return null;
  const reason = availableQuantity === 0 ? 'Out of stock' : 'Not enough stock for a minimum order';
  return `${reason}. You can place an order, but you can't pay for it.`;
}

type MoreProps = { $cut: Cut; nameId: string };

/** Opens without scripts too. */
const NativeMore = ({ $cut, nameId }: MoreProps) => (
  <MoreDetails $cut={$cut}>
    <summary aria-describedby={nameId}>
      <span>More</span>
      <span>Less</span>
    </summary>
  </MoreDetails>
);

/**
 * For cards that only scripts render. In Chromium, each `details` element has a style sheet of its own, so that
 * thousands of them slow down every change of the page.
 */
function ScriptedMore({ $cut, nameId }: MoreProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <MoreButton
      type="button"
      $cut={$cut}
      aria-expanded={isOpen}
      aria-describedby={nameId}
      onClick={() => setOpen(!isOpen)}
    >
      <span>{isOpen ? 'Less' : 'More'}</span>
    </MoreButton>
  );
}

type Props = {
  tool: Tool;
  /** Whether the server's HTML contains the card, so that it must work without scripts. */
  isInHtml?: boolean;
};

export const ToolCard = memo(function ToolCard({ tool, isInHtml = false }: Props) {
  const nameId = useId();
  const note = stockNote(tool);
  const cut = cutOf(tool.description);
  const More = isInHtml ? NativeMore : ScriptedMore;
  return (
    <ToolItem>
      <EnlargeablePicture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={400} height={240} />
      <ToolBody>
        <Name id={nameId} dir="auto">
          {tool.name}
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
          <Description dir="auto" $cut={cut}>
            {tool.description}
          </Description>
          {cut !== 'never' && <More $cut={cut} nameId={nameId} />}
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
