import { Link } from 'react-router-dom';
import styled from 'styled-components';
import { useCheckAdminQuery } from '../api/apiSlice';
import { useSession } from '../session/hooks';
import { color, space } from '../ui/theme';
import { useOrdersToShip } from './useOrdersToShip';

/** Covers the top of the page, so that the page does not move when the number arrives. */
const Line = styled.p`
  position: absolute;
  inset-inline: 0;
  z-index: 2;
  padding: ${space(2)} ${space(4)};
  background: ${color.amberSoft};
  text-align: center;
  a {
    padding-block: ${space(2)};
  }
`;

/** What waits for an admin who has just logged in. */
export default function OrdersToShip() {
  const { email } = useSession();
  useCheckAdminQuery(email, { skip: email === '' });
  const count = useOrdersToShip();
  if (count === undefined) return null;
  return (
    <Line>
      <Link to="/dashboard/manageallorders?status=paid">
        {count === '1' ? '1 order is' : `${count} orders are`} ready to ship
      </Link>
    </Line>
  );
}
