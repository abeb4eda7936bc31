import { Outlet } from 'react-router-dom';
import { useCheckAdminQuery, useCountOrdersByStatusQuery } from '../api/apiSlice';
import { isTransient } from '../contract/problem';
import { formatFilterCount } from '../features/admin/orders/orderStatus';
import { DashboardMenu } from '../ui/DashboardMenu';
import { LoadError } from '../ui/Notice';
import { useSession } from '../session/hooks';

interface Props {
  pages: { path: string; menu?: { label: string; for: 'all' | 'member' | 'admin' } }[];
}

/** If the admin check fails, shows the customers' menu. */
export default function DashboardLayout({ pages }: Props) {
  const { email, admin } = useSession();
  const { error, isError, refetch } = useCheckAdminQuery(email, { skip: email === '' });
  const { data: counts } = useCountOrdersByStatusQuery(undefined, { skip: admin !== 'admin' });
  const toShip =
    counts && counts.paid > 0 ? { count: formatFilterCount('paid', counts, 0), name: 'to ship' } : undefined;
  const isUndecided = admin === 'unknown' && error !== undefined;
  const role = isUndecided ? 'member' : admin;
  const menuPages = pages.filter(({ menu }) => menu && ['all', role].includes(menu.for));
  const items = menuPages.map(({ path, menu }) => ({
    to: `/dashboard/${path}`.replace(/\/$/, ''),
    label: menu!.label,
    waiting: path === 'manageallorders' ? toShip : undefined,
  }));
  return (
    <DashboardMenu items={items} email={email}>
      {isUndecided && isError && isTransient(error) && (
        <LoadError title="Part of the dashboard didn't load" error={error} onRetry={() => void refetch()} />
      )}
      <Outlet />
    </DashboardMenu>
  );
}
