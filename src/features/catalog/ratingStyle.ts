import styled from 'styled-components';
import { color, radius, space, touchTarget } from '../../ui/theme';

export const NumberAndStars = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(2)} ${space(4)};
  > input {
    width: 88px;
  }
`;

export const StarRow = styled.div`
  display: flex;
`;

export const StarLabel = styled.label`
  position: relative;
  display: grid;
  place-items: center;
  width: ${touchTarget};
  height: ${touchTarget};
  border-radius: ${radius};
  color: ${color.ink};
  cursor: pointer;
  input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }
  svg {
    width: 28px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    pointer-events: none;
  }
  svg[data-lit='true'] {
    fill: currentColor;
  }
  &:hover {
    background: ${color.line};
  }
  &:has(:focus-visible) {
    outline: 3px solid ${color.focus};
    outline-offset: -1px;
  }
`;
