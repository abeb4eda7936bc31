import { memo, useId } from 'react';
import type { Tool } from '../../contract/entities';
import { ButtonLink } from '../../ui/Button';
import { Picture } from '../../ui/Picture';
import { Body, Facts, CardFooter, OutOfStockNote, Item, Name, Price, TwoLines } from './cardStyle';

const SIZES = '(min-width: 1024px) 368px, (min-width: 640px) 50vw, 100vw';

function stockNote({ availableQuantity, minimumOrderQuantity }: Tool): string | null {
  if (availableQuantity >= minimumOrderQuantity) return null;
  const reason = availableQuantity === 0 ? 'Out of stock' : 'Not enough stock for a minimum order';
  return `${reason}. You can place an order, but you can't pay for it.`;
}

export const ToolCard = memo(function ToolCard({ tool }: { tool: Tool }) {
  const nameId = useId();
  const note = stockNote(tool);
  return (
    <Item>
      <Picture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={400} height={300} />
      <Body>
        <Name id={nameId} dir="auto">
          {tool.name}
        </Name>
        <Price>{`Price: $ ${tool.price}`}</Price>
        <TwoLines dir="auto">{tool.description}</TwoLines>
        <Facts>
          <p>{`Available: ${tool.availableQuantity} piece`}</p>
          <p>{`Minimum Order: ${tool.minimumOrderQuantity}`}</p>
        </Facts>
        {note && <OutOfStockNote>{note}</OutOfStockNote>}
        <CardFooter>
          <ButtonLink to={`/purchase/${tool._id}`} wide aria-describedby={nameId}>
            Purchase
          </ButtonLink>
        </CardFooter>
      </Body>
    </Item>
  );
});
