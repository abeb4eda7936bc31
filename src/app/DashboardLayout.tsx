import { Outlet } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { isRefused } from '../contract/problem';
import { DashboardMenu } from '../ui/DashboardMenu';
import { Failed } from '../ui/Notice';
import { useSession } from '../session/hooks';
import { dashboardPages } from './routes';

/** While the shop cannot say whether this is an admin, the menu is a customer's. */
export default function DashboardLayout() {
  const { email, admin } = useSession();
  const { error, isError, refetch } = useCheckAdminQuery(email, { skip: email === '' });
  const unanswered = admin === 'unknown' && error !== undefined;
  const seenBy = unanswered ? 'member' : admin;
  const shown = dashboardPages.filter(({ menu }) => menu && ['all', seenBy].includes(menu.for));
  const items = shown.map(({ path, menu }) => ({
    to: `/dashboard/${path}`.replace(/\/$/, ''),
    label: menu!.label,
  }));
  return (
    <DashboardMenu items={items} email={email}>
      {unanswered && isError && !isRefused(error) && (
        <Failed title="Part of the dashboard did not load" error={error} onRetry={() => void refetch()} />
      )}
      <Outlet />
    </DashboardMenu>
  );
}
