import styled from 'styled-components';
import { color, space, touchTarget } from './theme';

export const CheckboxLabel = styled.label`
  display: flex;
  align-items: center;
  gap: ${space(3)};
  min-height: ${touchTarget};
  cursor: pointer;
  input {
    flex: none;
    width: 20px;
    height: 20px;
    accent-color: ${color.ink};
  }
`;
