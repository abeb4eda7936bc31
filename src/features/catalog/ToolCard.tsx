import { memo, useId } from 'react';
import type { Tool } from '../../contract/entities';
import { ButtonLink } from '../../ui/Button';
import { Picture } from '../../ui/Picture';
import { Body, Facts, CardFooter, OutOfStockNote, Item, Name, Price, TwoLines } from './cardStyle';

const CARD = '(min-width: 1024px) 368px, (min-width: 640px) 50vw, 100vw';

function shortage({ availableQuantity, minimumOrderQuantity }: Tool): string | null {
  if (availableQuantity >= minimumOrderQuantity) return null;
  const what = availableQuantity === 0 ? 'Out of stock' : 'Less than one order in stock';
  return `${what}: an order is recorded without a price and cannot be paid.`;
}

export const ToolCard = memo(function ToolCard({ tool }: { tool: Tool }) {
  const nameId = useId();
  const short = shortage(tool);
  return (
    <Item>
      <Picture src={tool.img} of={tool.name} sizes={CARD} alt="" width={400} height={300} />
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
        {short && <OutOfStockNote>{short}</OutOfStockNote>}
        <CardFooter>
          <ButtonLink to={`/purchase/${tool._id}`} wide aria-describedby={nameId}>
            Purchase
          </ButtonLink>
        </CardFooter>
      </Body>
    </Item>
  );
});
