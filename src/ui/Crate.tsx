import styled from 'styled-components';
import { color, font, shortTransition } from './theme';

const Drawing = styled.svg`
  flex: none;
  stroke-linejoin: round;
  .left {
    fill: ${color.wood};
  }
  .right {
    fill: ${color.woodEdge};
  }
  .top {
    fill: ${color.woodLight};
  }
  path {
    fill: none;
    stroke: ${color.woodInk};
  }
  polygon {
    stroke: ${color.woodInk};
  }
  .ghost {
    stroke: ${color.edge};
    stroke-dasharray: 3 4;
  }
  .bridge {
    stroke: ${color.wood};
  }
  .label {
    fill: ${color.nightInk};
  }
  text {
    fill: ${color.woodInk};
    font: 600 15px ${font.display};
    text-anchor: middle;
  }
  .small {
    font-size: 9px;
  }
  g {
    transition:
      opacity ${shortTransition},
      transform ${shortTransition};
  }
`;

const LAYERS = 5;
const LAYER = 18;

/** The slats of a box are about this far apart. */
const SLAT = 9;

/** A box from the left, the right and above. Its lower corners are (6, 116), (66, 146) and (114, 122). */
function Box({ height, slats = Math.round(height / SLAT) }: { height: number; slats?: number }) {
  const heights = Array.from({ length: slats - 1 }, (_, i) => (height * (i + 1)) / slats);
  return (
    <>
      <polygon className="left" points={`6,116 66,146 66,${146 - height} 6,${116 - height}`} />
      <polygon className="right" points={`66,146 114,122 114,${122 - height} 66,${146 - height}`} />
      <polygon className="top" points={`6,${116 - height} 66,${146 - height} 114,${122 - height} 54,${92 - height}`} />
      <path d={heights.map((z) => `M6 ${116 - z}l60 30l48-24`).join('')} />
      <path d={`M12 119v-${height}M60 143v-${height}M72 143v-${height}M108 125v-${height}`} />
      <path d={`M21 ${123.5 - height}l48-24M36 ${131 - height}l48-24M51 ${138.5 - height}l48-24`} />
    </>
  );
}

/** Writes along the left side of a box, with the bridge of a stencil. */
const Stencil = ({ text }: { text: string }) => (
  <g transform="matrix(1 .5 0 1 6 116)">
    <rect className="left" x="9" y="-15" width="42" height="13" />
    <text x="30" y="-3">
      {text}
    </text>
    <path className="bridge" d="M9-8.5h42" />
  </g>
);

/** A stack of up to five crates that fills from below. A crate that is not full is pale. */
export function CrateStack({ crates, pieces }: { crates: number; pieces: string }) {
  return (
    <Drawing width="96" height="120" viewBox="0 0 120 150" aria-hidden="true">
      <path className="ghost" d="M6 116V26l48-24 60 30v90M6 26l60 30v90M66 56l48-24M6 116l60 30 48-24" />
      {Array.from({ length: LAYERS }, (_, layer) => {
        const opacity = crates >= layer + 1 ? 1 : crates > layer ? 0.5 : 0;
        const y = (opacity === 0 ? -LAYER / 2 : 0) - layer * LAYER;
        return (
          <g key={layer} opacity={opacity} transform={`translate(0 ${y})`}>
            <Box height={LAYER} />
          </g>
        );
      })}
      {pieces && <Stencil text={pieces} />}
    </Drawing>
  );
}

/** A closed crate with a label, as it leaves the factory. */
export const ShippedCrate = ({ orderNumber }: { orderNumber: string }) => (
  <Drawing width="96" height="92" viewBox="0 35 120 115" aria-hidden="true">
    <Box height={54} />
    <g transform="matrix(1 .5 0 1 6 116)">
      <rect className="label" x="10" y="-44" width="40" height="34" />
      <text x="30" y="-30" className="small">
        {orderNumber}
      </text>
      <path d="M14-24v9M17-24v9M19-24v9M23-24v9M25-24v9M28-24v9M32-24v9M34-24v9M38-24v9M40-24v9M44-24v9M46-24v9" />
    </g>
  </Drawing>
);
