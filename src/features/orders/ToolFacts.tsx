import type { Tool } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { splitDescription, type Fact } from '../../contract/toolDescription';
import { EnlargeablePicture } from '../../ui/EnlargeablePicture';
import { Description, Details, Facts, ImageFrame, ToolSection } from './purchaseStyle';

const SIZES = '(min-width: 900px) 560px, 40vw';

const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <Facts>
    {facts.map(([label, value], i) => (
      <div key={i}>
        <dt dir="auto">{label}</dt>
        <dd dir="auto">{keepUnitsTogether(value)}</dd>
      </div>
    ))}
  </Facts>
);

export function ToolFacts({ tool }: { tool: Tool }) {
  return (
    <ToolSection aria-label={tool.name}>
      <ImageFrame>
        <EnlargeablePicture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={800} height={600} eager />
      </ImageFrame>
      <FactList
        facts={[
          ['Price', formatDollars(tool.price)],
          ['Available', `${formatWithCommas(tool.availableQuantity)} piece`],
          ['Minimum Order', formatWithCommas(tool.minimumOrderQuantity)],
        ]}
      />
    </ToolSection>
  );
}

/** Shows the description. Its lines such as "Weight: 500 g" become a list of facts. */
export function ToolDetails({ tool }: { tool: Tool }) {
  const { text, facts } = splitDescription(tool.description);
  return (
    <Details>
      <Description dir="auto">{text}</Description>
      {facts.length > 0 && (
        <section aria-labelledby="specifications">
          <h2 id="specifications">Specifications</h2>
          <FactList facts={facts} />
        </section>
      )}
    </Details>
  );
}
