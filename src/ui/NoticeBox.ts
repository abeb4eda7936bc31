import styled from 'styled-components';
import { color, space } from './theme';

export const NoticeBox = styled.div`
  display: grid;
  gap: ${space(2)};
  justify-items: start;
  padding: ${space(3)} ${space(4)};
  border-inline-start: 3px solid ${color.bad};
  background: ${color.paper};
`;

/** Waiting is not an error. */
export const WaitingBox = styled(NoticeBox)`
  border-color: ${color.amber};
  background: ${color.amberSoft};
`;
