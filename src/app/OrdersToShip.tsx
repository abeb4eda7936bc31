import { Link } from 'react-router-dom';
import styled from 'styled-components';
import { useCheckAdminQuery, useCountOrdersByStatusQuery } from '../api/apiSlice';
import { formatFilterCount } from '../features/admin/orders/orderStatus';
import { useSession } from '../session/hooks';
import { color, space } from '../ui/theme';

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
  const { email, admin } = useSession();
  useCheckAdminQuery(email, { skip: email === '' });
  const { data: counts } = useCountOrdersByStatusQuery(undefined, { skip: admin !== 'admin' });
  if (admin !== 'admin' || !counts || counts.paid === 0) return null;
  const waiting = counts.paid === 1 ? '1 order is' : `${formatFilterCount('paid', counts, 0)} orders are`;
  return (
    <Line>
      <Link to="/dashboard/manageallorders?status=paid">{waiting} ready to ship</Link>
    </Line>
  );
}
