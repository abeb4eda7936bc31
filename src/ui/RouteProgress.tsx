import styled from 'styled-components';
import { VisuallyHidden } from './page';
import { color } from './theme';

const ProgressBar = styled.div`
  position: fixed;
  inset: 0 0 auto;
  z-index: 30;
  height: 3px;
  background: ${color.ink};
  transform-origin: left;
  animation: grow 8s ease-out both;
`;

export function RouteProgress({ active }: { active: boolean }) {
  if (!active) return null;
  return (
    <ProgressBar role="status">
      <VisuallyHidden>Loading page</VisuallyHidden>
    </ProgressBar>
  );
}
