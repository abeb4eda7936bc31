import { Outlet } from 'react-router-dom';
import { DashboardMenu } from '../ui/DashboardMenu';
import { useSession } from './hooks';
import { dashboardPages } from './routes';

export default function Dashboard() {
  const { email, admin } = useSession();
  const shown = dashboardPages.filter(({ menu }) => menu && ['all', admin].includes(menu.for));
  const items = shown.map(({ path, menu }) => ({
    to: `/dashboard/${path}`.replace(/\/$/, ''),
    label: menu!.label,
  }));
  return (
    <DashboardMenu items={items} email={email}>
      <Outlet />
    </DashboardMenu>
  );
}
