import styled from 'styled-components';
import { Hidden } from './page';
import { color } from './theme';

const Thin = styled.div`
  position: fixed;
  inset: 0 0 auto;
  z-index: 30;
  height: 3px;
  background: ${color.ember};
  transform-origin: left;
  animation: grow 8s ease-out both;
`;

export function RouteProgress({ active }: { active: boolean }) {
  if (!active) return null;
  return (
    <Thin role="status">
      <Hidden>Loading the page</Hidden>
    </Thin>
  );
}
