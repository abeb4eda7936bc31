import styled from 'styled-components';
import { color, radius } from './theme';

/** A gray box in the place and size of content that is loading. */
export const Skeleton = styled.span<{ $height: string; $width?: string; $ratio?: string }>`
  display: block;
  width: ${({ $width = '100%' }) => $width};
  height: ${({ $height }) => $height};
  aspect-ratio: ${({ $ratio = 'auto' }) => $ratio};
  border-radius: ${radius};
  background: ${color.line};
  animation: breathe 1600ms ease-in-out infinite;
`;
