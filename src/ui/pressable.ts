import { css } from 'styled-components';
import { color, radius, shortTransition, touchTarget } from './theme';

/** The style of a small button. In a group, one of them can be selected. */
export const pressable = css`
  min-height: ${touchTarget};
  border: 1px solid ${color.edge};
  border-radius: ${radius};
  background: ${color.surface};
  font-weight: 600;
  cursor: pointer;
  transition: border-color ${shortTransition};
  &:hover:not([aria-disabled='true']) {
    border-color: ${color.ink};
  }
  &[aria-pressed='true'] {
    border-color: ${color.ink};
    background: ${color.ink};
    color: ${color.paper};
  }
`;
