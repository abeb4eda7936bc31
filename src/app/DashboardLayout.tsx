import { Outlet } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { isTransient } from '../contract/problem';
import { DashboardMenu } from '../ui/DashboardMenu';
import { LoadError } from '../ui/Notice';
import { useSession } from '../session/hooks';
import { useOrdersToShip } from './useOrdersToShip';

interface Props {
  pages: { path: string; menu?: { label: string; for: 'all' | 'member' | 'admin' } }[];
}

/** If the admin check fails, shows the customers' menu. */
export default function DashboardLayout({ pages }: Props) {
  const { email, admin } = useSession();
  const { error, isError, refetch } = useCheckAdminQuery(email, { skip: email === '' });
  const count = useOrdersToShip();
  const toShip = count === undefined ? undefined : { count, name: 'to ship' };
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
