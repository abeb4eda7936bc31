import { useCountOrdersByStatusQuery } from '../api/apiSlice';
import { formatFilterCount } from '../features/admin/orders/orderStatus';
import { useSession } from '../session/hooks';

/** @returns how many orders an admin has to ship, or undefined if there are none or the user is no admin */
export function useOrdersToShip(): string | undefined {
  const { isAdmin } = useSession();
  const { data: counts } = useCountOrdersByStatusQuery(undefined, { skip: !isAdmin });
  return isAdmin && counts && counts.paid > 0 ? formatFilterCount('paid', counts, 0) : undefined;
}
