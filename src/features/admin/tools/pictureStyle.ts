import styled from 'styled-components';
import { color, radius, space } from '../../../ui/theme';

export const PictureDrop = styled.div<{ $isOver: boolean }>`
  display: grid;
  gap: ${space(2)};
  border-radius: ${radius};
  outline: 2px dashed ${({ $isOver }) => ($isOver ? color.ink : 'transparent')};
  outline-offset: ${space(2)};
`;

export const PictureActions = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(2)};
  > div {
    width: 80px;
  }
  button {
    padding-inline: ${space(4)};
  }
`;
