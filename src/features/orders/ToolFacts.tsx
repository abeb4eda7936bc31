import { Link } from 'react-router-dom';
import { useConfig } from '../../config';
import type { Tool } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { describeShipping } from '../../contract/terms';
import { toolPath } from '../../contract/toolPath';
import { EnlargeablePicture } from '../../ui/EnlargeablePicture';
import { PictureFrame } from '../../ui/PictureFrame';
import { isInRange } from './orderRules';
import { Facts, MoreLine, ToolSection } from './purchaseStyle';

const SIZES = '(min-width: 900px) 560px, 40vw';

export function ToolFacts({ tool }: { tool: Tool }) {
  const { shipWithinDays } = useConfig();
  const facts = [
    ['Price', formatDollars(tool.price)],
    ['Available', `${formatWithCommas(tool.availableQuantity)} piece`],
    ['Minimum Order', formatWithCommas(tool.minimumOrderQuantity)],
    ...(isInRange(tool, tool.minimumOrderQuantity) ? [['Delivery', describeShipping(shipWithinDays)]] : []),
  ];
  return (
    <ToolSection aria-label={tool.name}>
      <PictureFrame>
        <EnlargeablePicture src={tool.img} toolName={tool.name} sizes={SIZES} alt="" width={800} height={600} eager />
      </PictureFrame>
      <Facts>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Facts>
      <MoreLine>
        <Link to={toolPath(tool._id)}>More about this tool</Link>
      </MoreLine>
    </ToolSection>
  );
}
