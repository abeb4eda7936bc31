import { useCountOrdersByStatusQuery } from '../api/apiSlice';
import type { OrderStatus } from '../contract/entities';
import { formatFilterCount } from '../features/admin/orders/orderStatus';
import { useSession } from '../session/hooks';

/** @returns how many orders with this status wait for an admin, or undefined if there are none or the user is no admin */
export function useOrderCount(status: OrderStatus): string | undefined {
  const { isAdmin } = useSession();
  const { data: counts } = useCountOrdersByStatusQuery(undefined, { skip: !isAdmin });
  return isAdmin && counts && counts[status] > 0 ? formatFilterCount(status, counts, 0) : undefined;
}
