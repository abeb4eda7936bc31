import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { useConfig } from '../config';
import { isTransient } from '../contract/problem';
import { whenHydratedAndIdle } from '../ui/deferredComponent';
import { DashboardMenu } from '../ui/DashboardMenu';
import { LoadError } from '../ui/Notice';
import { useSession } from '../session/hooks';
import { useOrderCount } from './useOrderCount';

interface Props {
  pages: { path: string; menu?: { label: string; for: 'all' | 'member' | 'admin' } }[];
}

/** After an order is placed, its payment is next. A failure is of no interest, because the payment page tries again. */
function usePreparedPayment() {
  const { payments } = useConfig();
  const { placed } = (useLocation().state ?? {}) as { placed?: string };
  useEffect(() => {
    if (placed === undefined) return;
    void whenHydratedAndIdle()
      .then(() => import(/* webpackChunkName: "payment" */ '../features/payment/stripe'))
      .then(({ loadProvider }) => loadProvider(payments))
      .catch(() => undefined);
  }, [placed, payments]);
}

/** If the admin check fails, shows the customers' menu. */
export default function DashboardLayout({ pages }: Props) {
  const { email, admin } = useSession();
  const { error, isError, refetch } = useCheckAdminQuery(email, { skip: email === '' });
  usePreparedPayment();
  const count = useOrderCount('paid');
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
