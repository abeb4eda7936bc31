import { Link } from 'react-router-dom';
import styled from 'styled-components';
import { useCheckAdminQuery } from '../api/apiSlice';
import { useSession } from '../session/hooks';
import { color, space } from '../ui/theme';
import { useOrderCount } from './useOrderCount';

/** Covers the top of the page, so that the page does not move when the number arrives. */
const Line = styled.p`
  position: absolute;
  inset-inline: 0;
  z-index: 2;
  padding-inline: ${space(4)};
  background: ${color.amberSoft};
  text-align: center;
  a {
    display: inline-block;
    padding: ${space(2)} ${space(3)};
  }
`;

/** What waits for an admin who has just logged in. */
export default function WaitingOrders() {
  const { email } = useSession();
  useCheckAdminQuery(email, { skip: email === '' });
  const toShip = useOrderCount('paid');
  const toPrice = useOrderCount('unpriced');
  if (!toShip && !toPrice) return null;
  return (
    <Line>
      {toShip && (
        <Link to="/dashboard/manageallorders?status=paid">
          {toShip === '1' ? '1 order is' : `${toShip} orders are`} ready to ship
        </Link>
      )}
      {toPrice && (
        <Link to="/dashboard/manageallorders?status=unpriced">
          {toPrice === '1' ? '1 request waits' : `${toPrice} requests wait`} for a price
        </Link>
      )}
    </Line>
  );
}
