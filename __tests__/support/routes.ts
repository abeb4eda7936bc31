type Access = 'public' | 'customer' | 'admin';

/**
 * Every call of the shop and who may make it: table A.7 of the specification and our own calls. `GET /order` is open to
 * customers too, with their own email as a parameter.
 */
export const ACCESS_BY_CALL = {
  'GET /tool': 'public',
  'GET /tool/:id': 'public',
  'POST /tool': 'admin',
  'GET /tool/all': 'admin',
  'GET /tool.csv': 'admin',
  'POST /tool/import': 'admin',
  'PATCH /tool/:id': 'admin',
  'GET /review': 'public',
  'POST /review': 'customer',
  'DELETE /review/:id': 'admin',
  'POST /order': 'customer',
  'GET /order': 'admin',
  'GET /order.csv': 'admin',
  'GET /order/counts': 'admin',
  'GET /order/:id': 'customer',
  'DELETE /order/:id': 'customer',
  'PATCH /order/:id': 'customer',
  'POST /order/:id/shipment': 'admin',
  'PUT /order/:id/shipment': 'admin',
  'PUT /order/:id/price': 'admin',
  'POST /order/:id/refund': 'admin',
  'POST /create-payment-intent': 'customer',
  'PUT /user/:email': 'customer',
  'DELETE /session': 'customer',
  'GET /user': 'admin',
  'PUT /user/admin/:email': 'admin',
  'GET /admin/:email': 'customer',
  'POST /profile': 'customer',
  'GET /profile/:email': 'customer',
} as const satisfies Record<string, Access>;

export type ApiCall = keyof typeof ACCESS_BY_CALL;

export const callsWithAccess = (access: Access): string[] =>
  Object.entries(ACCESS_BY_CALL)
    .filter(([, allowed]) => allowed === access)
    .map(([call]) => call);

/** The other public routes: for operators, developers, the payment provider and search engines. */
export const PUBLIC_NON_API_ROUTES = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /sitemap.xml',
  'GET /robots.txt',
  'POST /webhooks/stripe',
];

/** Matches the paths of the embedded services and of static files. */
const EXCLUDED_PATHS =
  /\/(identitytoolkit|securetoken|identity|__|v1|assets|images|icons|initials)\b|\/(theme\.js|site\.webmanifest)$/;

/** Collects the routes that a shop registers. Pass `onRoute` to `startShop`. */
export function collectRoutes() {
  const routes: string[] = [];
  const onRoute = ({ method, url }: { method: string | string[]; url: string }) => {
    for (const name of [method].flat()) if (name !== 'HEAD' && !EXCLUDED_PATHS.test(url)) routes.push(`${name} ${url}`);
  };
  return { routes, onRoute };
}
