import styled from 'styled-components';
import { color, shadow, space } from './theme';

/** At the bottom of the screen, so that it covers neither the menu nor the toasts. */
export const BottomBar = styled.div`
  position: fixed;
  inset: auto 0 0;
  z-index: 20;
  padding: ${space(3)} ${space(4)};
  border-top: 3px solid ${color.nightEmber};
  background: ${color.night};
  color: ${color.nightInk};
  box-shadow: ${shadow};
  text-align: center;
`;
