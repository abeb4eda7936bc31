import { css } from 'styled-components';
import { color, radius, size, space } from './theme';

/** A small number beside a label. */
export const countStyle = css`
  min-width: 1.5rem;
  padding: 0 ${space(1.5)};
  border-radius: ${radius};
  background: ${color.line};
  font-size: ${size.small};
  text-align: center;
`;
