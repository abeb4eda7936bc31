import { memo, useId } from 'react';
import type { Tool } from '../../contract/entities';
import { ButtonLink } from '../../ui/Button';
import { EnlargeablePicture } from '../../ui/EnlargeablePicture';
import { CardFooter, Description, Facts, CardItem, More, Name, OutOfStockNote, Price, ToolBody } from './cardStyle';

const SIZES = '(min-width: 1024px) 368px, 50vw';

/**
 * A description of at most this many characters has about three lines on phones, so it is not cut there or on wider
 * screens.
 */
const PHONE_CHARACTERS = 48;
const WIDE_CHARACTERS = 108;

function cutOf(description: string) {
  const { length } = description;
  if (description.includes('\n')) return 'always';
  if (length <= PHONE_CHARACTERS) return 'never';
  return length <= WIDE_CHARACTERS ? 'onPhones' : 'always';
}

function stockNote({ availableQuantity, minimumOrderQuantity }: Tool): string | null {
  if (availableQuantity >= minimumOrderQuantity) return null;
  const reason = availableQuantity === 0 ? 'Out of stock' : 'Not enough stock for a minimum order';
  return `${reason}. You can place an order, but you can't pay for it.`;
}

export const ToolCard = memo(function ToolCard({ tool }: { tool: Tool }) {
  const nameId = useId();
  const note = stockNote(tool);
  const cut = cutOf(tool.description);
  return (
    <CardItem>
      <EnlargeablePicture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={400} height={300} />
      <ToolBody>
        <Name id={nameId} dir="auto">
          {tool.name}
        </Name>
        <Price>{`Price: $ ${tool.price}`}</Price>
        <Description dir="auto" $cut={cut}>
          {tool.description}
        </Description>
        {cut !== 'never' && (
          <More $cut={cut}>
            <summary aria-describedby={nameId}>
              <span>More</span>
              <span>Less</span>
            </summary>
          </More>
        )}
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
      </ToolBody>
    </CardItem>
  );
});
