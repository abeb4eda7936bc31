import { matchPath } from 'react-router-dom';
import { homeWithTool } from './homeWithTool';
import { lazyPage, type LazyPage } from './lazyPage';

export type Access = 'all' | 'signedIn' | 'admin';

export interface RouteRow extends LazyPage {
  path: string;
  access: Access;
  /** The page's label in the dashboard's menu, and the role whose menu contains it. */
  menu?: { label: string; for: 'all' | 'member' | 'admin' };
}

export const toolPage = lazyPage('tool', () => import(/* webpackChunkName: "tool" */ '../features/catalog/ToolPage'));
const home = homeWithTool(
  lazyPage('home', () => import(/* webpackChunkName: "home" */ '../features/catalog/HomePage')),
  toolPage,
);

/**
 * The routes outside the dashboard (specification A.2). A page's guard, menu entry and chunk are in one row, so that
 * they cannot contradict each other.
 */
export const pages: RouteRow[] = [
  { path: '/', access: 'all', ...home },
  { path: '/home', access: 'all', ...home },
  {
    path: '/blogs',
    access: 'all',
    ...lazyPage('blog', () => import(/* webpackChunkName: "blog" */ '../features/content/BlogPage')),
  },
  {
    path: '/about',
    access: 'all',
    ...lazyPage('about', () => import(/* webpackChunkName: "about" */ '../features/content/AboutPage')),
  },
  {
    path: '/login',
    access: 'all',
    ...lazyPage('login', () => import(/* webpackChunkName: "login" */ '../features/auth/LoginPage')),
  },
  {
    path: '/signup',
    access: 'all',
    ...lazyPage('signup', () => import(/* webpackChunkName: "signup" */ '../features/auth/SignupPage')),
  },
  {
    path: '/purchase/:id',
    access: 'signedIn',
    ...lazyPage('purchase', () => import(/* webpackChunkName: "purchase" */ '../features/orders/PurchasePage')),
  },
];

export const dashboard = lazyPage('dashboard', () => import(/* webpackChunkName: "dashboard" */ './DashboardLayout'));

export const dashboardPages: RouteRow[] = [
  {
    path: '',
    access: 'signedIn',
    menu: { label: 'My Profile', for: 'all' },
    ...lazyPage('profile', () => import(/* webpackChunkName: "profile" */ '../features/auth/ProfilePage')),
  },
  {
    path: 'myorder',
    access: 'signedIn',
    menu: { label: 'My Order', for: 'member' },
    ...lazyPage('my-orders', () => import(/* webpackChunkName: "my-orders" */ '../features/orders/MyOrdersPage')),
  },
  {
    path: 'addreview',
    access: 'signedIn',
    menu: { label: 'Add review', for: 'member' },
    ...lazyPage('add-review', () => import(/* webpackChunkName: "add-review" */ '../features/catalog/AddReviewPage')),
  },
  {
    path: 'payment/:id',
    access: 'signedIn',
    ...lazyPage('payment', () => import(/* webpackChunkName: "payment" */ '../features/payment/PaymentPage')),
  },
  {
    path: 'allusers',
    access: 'admin',
    menu: { label: 'All Users', for: 'admin' },
    ...lazyPage('all-users', () => import(/* webpackChunkName: "all-users" */ '../features/admin/users/AllUsersPage')),
  },
  {
    path: 'addproduct',
    access: 'admin',
    menu: { label: 'Add Product', for: 'admin' },
    ...lazyPage(
      'add-product',
      () => import(/* webpackChunkName: "add-product" */ '../features/admin/tools/AddProductPage'),
    ),
  },
  {
    path: 'manageallorders',
    access: 'admin',
    menu: { label: 'Manage All Orders', for: 'admin' },
    ...lazyPage(
      'manage-orders',
      () => import(/* webpackChunkName: "manage-orders" */ '../features/admin/orders/ManageAllOrdersPage'),
    ),
  },
];

export const notFound: RouteRow = {
  path: '*',
  access: 'all',
  ...lazyPage('not-found', () => import(/* webpackChunkName: "not-found" */ '../features/content/NotFoundPage')),
};

const DASHBOARD = '/dashboard';
const allPages = [...pages, ...dashboardPages.map((row) => ({ ...row, path: `${DASHBOARD}/${row.path}` }))];

/** Fetches the chunks of the page at this URL. */
export function prefetchPage({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  if (pathname.startsWith(DASHBOARD)) dashboard.prefetch();
  for (const { path, prefetch } of allPages) if (matchPath(path, pathname)) prefetch(search);
}
