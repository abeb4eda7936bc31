import { css } from 'styled-components';
import { color, font } from './theme';

/** Letters as on a crate: a stencil leaves a bridge in each of them. */
export const stencil = css`
  font-family: ${font.display};
  font-weight: 600;
  font-variant-numeric: tabular-nums;
  letter-spacing: 0.03em;
  line-height: 1;
  text-transform: uppercase;
  mask-image: linear-gradient(#000 44%, transparent 44% 50%, #000 50%);
`;

const PLANK_PX = 56;

/** Boards with a nail at each end. */
export const planks = css`
  background:
    radial-gradient(circle at 16px, ${color.woodEdge} 3px, transparent 4px) 0 -2px / calc(100% - 32px) ${PLANK_PX}px,
    repeating-linear-gradient(${color.wood} 0 ${PLANK_PX - 3}px, ${color.woodEdge} ${PLANK_PX - 3}px ${PLANK_PX}px);
  color: ${color.woodInk};
`;
