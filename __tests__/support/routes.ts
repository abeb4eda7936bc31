type Access = 'public' | 'customer' | 'admin';

/** Every call of the shop, and who may make it: the table A.7 of the specification and our own. */
export const CALLS = {
  'GET /tool': 'public',
  'GET /tool/:id': 'public',
  'POST /tool': 'admin',
  'GET /review': 'public',
  'POST /review': 'customer',
  'DELETE /review/:id': 'admin',
  'POST /order': 'customer',
  'GET /order': 'admin',
  'GET /order/:id': 'customer',
  'DELETE /order/:id': 'customer',
  'PATCH /order/:id': 'customer',
  'POST /create-payment-intent': 'customer',
  'PUT /user/:email': 'customer',
  'DELETE /session': 'customer',
  'GET /user': 'admin',
  'PUT /user/admin/:email': 'admin',
  'GET /admin/:email': 'customer',
  'POST /profile': 'customer',
  'GET /profile/:email': 'customer',
} as const satisfies Record<string, Access>;

export type Call = keyof typeof CALLS;

export const callsFor = (access: Access): string[] =>
  Object.entries(CALLS)
    .filter(([, allowed]) => allowed === access)
    .map(([call]) => call);

/** What else the server answers, to anyone: for operators, the payment provider and search engines. */
export const OTHER_ROUTES = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /sitemap.xml',
  'GET /robots.txt',
  'POST /webhooks/stripe',
];

/** The embedded services, static files, and the preflight that is always refused. */
const NOT_THE_SHOP =
  /\/(identitytoolkit|securetoken|identity|v1|assets|images|icons|initials)\b|\/(theme\.js|site\.webmanifest)$/;

/** Collects the routes that a shop registers. Pass `onRoute` to `startShop`. */
export function collectRoutes() {
  const routes: string[] = [];
  const onRoute = ({ method, url }: { method: string | string[]; url: string }) => {
    for (const name of [method].flat()) if (name !== 'HEAD' && !NOT_THE_SHOP.test(url)) routes.push(`${name} ${url}`);
  };
  return { routes, onRoute };
}
