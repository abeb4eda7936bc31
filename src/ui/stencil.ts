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

/** Wood across the whole window. Each element with `plankEdges` is a board of its own. */
export const wood = css`
  background: ${color.wood};
  color: ${color.woodInk};
`;

/** The joints above and below a board. They are as wide as the window, also beside the element. */
export const plankEdges = css`
  border-block: 3px solid;
  border-image: linear-gradient(${color.woodEdge}, ${color.woodEdge}) 1 / 3px 0 / 0 100vw;
`;
