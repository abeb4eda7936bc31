import styled from 'styled-components';
import { color, radius } from './theme';

export const PictureFrame = styled.div`
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;
