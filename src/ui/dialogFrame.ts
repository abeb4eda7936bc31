import { css } from 'styled-components';
import { color, radius, shadow } from './theme';

export const dialogFrame = css`
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
  color: ${color.ink};
  box-shadow: ${shadow};
  &::backdrop {
    background: ${color.shade};
    backdrop-filter: blur(2px);
  }
`;
