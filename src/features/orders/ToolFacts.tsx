import type { Tool } from '../../contract/entities';
import { Picture } from '../../ui/Picture';
import { Description, Facts, ImageFrame, Tool as Section } from './purchaseStyle';

const SIZES = '(min-width: 900px) 560px, 40vw';

export function ToolFacts({ tool }: { tool: Tool }) {
  const facts = [
    ['Price', `$ ${tool.price}`],
    ['Available', `${tool.availableQuantity} piece`],
    ['Minimum Order', String(tool.minimumOrderQuantity)],
  ];
  return (
    <Section aria-label={tool.name}>
      <ImageFrame>
        <Picture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={800} height={600} eager />
      </ImageFrame>
      <Facts>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Facts>
      <Description>{tool.description}</Description>
    </Section>
  );
}
