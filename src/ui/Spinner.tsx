import styled from 'styled-components';
import { VisuallyHidden } from './page';
import { color, space } from './theme';

export const Ring = styled.span<{ $px?: number }>`
  display: block;
  width: ${({ $px = 28 }) => $px}px;
  height: ${({ $px = 28 }) => $px}px;
  border: 3px solid currentColor;
  border-top-color: transparent;
  border-radius: 50%;
  animation: turn 800ms linear infinite;
`;

const Centered = styled.span`
  display: grid;
  place-items: center;
  padding: ${space(4)};
  color: ${color.ink};
`;

export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Centered role="status">
      <Ring aria-hidden="true" />
      <VisuallyHidden>{label}</VisuallyHidden>
    </Centered>
  );
}
