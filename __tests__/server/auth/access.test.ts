import { getOrCreateSecret } from '../../../server/db/generatedSecrets';
import { addMachineKey, MACHINE_ROUTES } from '../../../server/auth/machineKeys';
import { createAccessTokens } from '../../../server/auth/accessTokens';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { pictureDraft } from '../../support/pictures';
import { ACCESS_BY_CALL, type ApiCall } from '../../support/routes';
import { startShop } from '../../support/shop';

const callsWithAccess = (access: (typeof ACCESS_BY_CALL)[ApiCall]): string[] =>
  Object.entries(ACCESS_BY_CALL)
    .filter(([, allowed]) => allowed === access)
    .map(([call]) => call);

/** The other public routes: for pages, operators, developers, the payment provider and search engines. */
const PUBLIC_NON_API_ROUTES = [
  'GET /picture/:hash',
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
function collectRoutes() {
  const routes: string[] = [];
  const onRoute = ({ method, url }: { method: string | string[]; url: string }) => {
    for (const name of [method].flat()) if (name !== 'HEAD' && !EXCLUDED_PATHS.test(url)) routes.push(`${name} ${url}`);
  };
  return { routes, onRoute };
}

describe('The access matrix', () => {
  const CALLERS = [
    'anonymous',
    'garbage',
    'expired',
    'other',
    'owner',
    'unverified',
    'demoted',
    'admin',
    'tools',
    'orders',
  ] as const;
  type CallerKind = (typeof CALLERS)[number];
  type Fixture = { owner: Customer; order: string; tool: string };
  type MatrixRow = {
    path: (subject: Fixture) => string;
    body?: (subject: Fixture) => unknown;
    headers?: Record<string, string>;
    expectedStatuses: Record<CallerKind, number>;
  };

  const UNAUTHENTICATED = { anonymous: 401, garbage: 401, expired: 401 };
  /**
   * An unverified user and a demoted admin get the same status as a customer who is not the owner. The key of a machine
   * gets an admin's status if it opens the route.
   */
  const statusesIfSignedIn = (other: number, owner: number, admin: number, key?: 'tools' | 'orders') => ({
    ...UNAUTHENTICATED,
    ...{ other, owner, admin, unverified: other, demoted: other },
    ...{ tools: key === 'tools' ? admin : 403, orders: key === 'orders' ? admin : 403 },
  });
  const ALL_ALLOWED = Object.fromEntries(CALLERS.map((kind) => [kind, 200])) as Record<CallerKind, number>;
  const ALL_REFUSED = Object.fromEntries(CALLERS.map((kind) => [kind, 401])) as Record<CallerKind, number>;

  const TOOL = { price: 5, minimumOrderQuantity: 1, availableQuantity: 9, description: 'x', img: '/x.svg' };
  const PROFILE = { address: '1 Main', phone: '555 0100', linkedIn: '/x' };
  const byId = ({ order }: Fixture) => `/order/${order}`;
  const encodedEmail = ({ owner }: Fixture) => encodeURIComponent(owner.email);

  const MATRIX: Record<ApiCall | 'GET /order of one customer' | 'GET /order of one page', MatrixRow> = {
    'GET /tool': { path: () => '/tool', expectedStatuses: ALL_ALLOWED },
    'GET /tool/:id': { path: ({ tool }) => `/tool/${tool}`, expectedStatuses: ALL_ALLOWED },
    'GET /review': { path: () => '/review', expectedStatuses: ALL_ALLOWED },
    'POST /tool': {
      path: () => '/tool',
      body: () => ({ name: 'x', ...TOOL }),
      expectedStatuses: statusesIfSignedIn(403, 403, 201, 'tools'),
    },
    'GET /tool.csv': { path: () => '/tool.csv', expectedStatuses: statusesIfSignedIn(403, 403, 200, 'tools') },
    'POST /tool/import': {
      path: () => '/tool/import?dry',
      body: () => 'name\n',
      headers: { 'content-type': 'text/csv' },
      expectedStatuses: statusesIfSignedIn(403, 403, 200, 'tools'),
    },
    'POST /picture': {
      path: () => '/picture',
      body: () => pictureDraft(),
      expectedStatuses: statusesIfSignedIn(403, 403, 201, 'tools'),
    },
    'GET /tool/all': { path: () => '/tool/all', expectedStatuses: statusesIfSignedIn(403, 403, 200, 'tools') },
    'PATCH /tool/:id': {
      path: ({ tool }) => `/tool/${tool}`,
      body: () => ({ stockChange: 1 }),
      expectedStatuses: statusesIfSignedIn(403, 403, 200, 'tools'),
    },
    'POST /review': {
      path: () => '/review',
      body: () => ({ description: 'x', ratings: 5, img: '/x.svg' }),
      expectedStatuses: statusesIfSignedIn(201, 201, 201),
    },
    'DELETE /review/:id': {
      path: () => '/review/00000000-0000-4000-8000-000000000000',
      expectedStatuses: statusesIfSignedIn(403, 403, 404),
    },
    'POST /order': {
      path: () => '/order',
      body: ({ owner, tool }) => ({
        email: owner.email,
        productName: 'x',
        toolId: tool,
        address: 'x',
        phone: '555 0100',
        totalQuantity: 1,
      }),
      expectedStatuses: statusesIfSignedIn(403, 201, 403),
    },
    'GET /order of one customer': {
      path: (subject) => `/order?email=${encodedEmail(subject)}`,
      expectedStatuses: statusesIfSignedIn(403, 200, 200, 'orders'),
    },
    'GET /order': { path: () => '/order', expectedStatuses: statusesIfSignedIn(403, 403, 200, 'orders') },
    'GET /order of one page': {
      path: () => '/order?limit=1',
      expectedStatuses: statusesIfSignedIn(403, 403, 200, 'orders'),
    },
    'GET /order.csv': { path: () => '/order.csv', expectedStatuses: statusesIfSignedIn(403, 403, 200, 'orders') },
    'GET /order/counts': { path: () => '/order/counts', expectedStatuses: statusesIfSignedIn(403, 403, 200, 'orders') },
    'GET /order/:id': { path: byId, expectedStatuses: statusesIfSignedIn(404, 200, 200, 'orders') },
    'DELETE /order/:id': { path: byId, expectedStatuses: statusesIfSignedIn(404, 204, 204) },
    'PATCH /order/:id': {
      path: byId,
      body: ({ order }) => ({ order, transactionId: 'pi_made_up' }),
      expectedStatuses: statusesIfSignedIn(404, 422, 404),
    },
    'POST /order/:id/shipment': {
      path: (subject) => `${byId(subject)}/shipment`,
      body: () => ({ carrier: 'UPS', tracking: '1Z' }),
      expectedStatuses: statusesIfSignedIn(403, 403, 409, 'orders'),
    },
    'PUT /order/:id/shipment': {
      path: (subject) => `${byId(subject)}/shipment`,
      body: () => ({ carrier: 'UPS', tracking: '1Z' }),
      expectedStatuses: statusesIfSignedIn(403, 403, 409, 'orders'),
    },
    'PUT /order/:id/price': {
      path: (subject) => `${byId(subject)}/price`,
      body: () => ({ price: 7 }),
      expectedStatuses: statusesIfSignedIn(403, 403, 409, 'orders'),
    },
    'POST /order/:id/refund': {
      path: (subject) => `${byId(subject)}/refund`,
      body: () => ({ reason: 'x', restock: true }),
      expectedStatuses: statusesIfSignedIn(403, 403, 409),
    },
    'POST /create-payment-intent': {
      path: ({ order }) => `/create-payment-intent?order=${order}`,
      body: () => ({ totalPrice: 7 }),
      expectedStatuses: statusesIfSignedIn(404, 200, 404),
    },
    'PUT /user/:email': {
      path: (subject) => `/user/${encodedEmail(subject)}`,
      body: ({ owner }) => ({ email: owner.email }),
      expectedStatuses: ALL_REFUSED,
    },
    'GET /user': { path: () => '/user', expectedStatuses: statusesIfSignedIn(403, 403, 200) },
    'PUT /user/admin/:email': {
      path: () => '/user/admin/nobody@mail.example',
      expectedStatuses: statusesIfSignedIn(403, 403, 404),
    },
    'DELETE /user/admin/:email': {
      path: () => '/user/admin/nobody@mail.example',
      expectedStatuses: statusesIfSignedIn(403, 403, 404),
    },
    'GET /admin/:email': {
      path: (subject) => `/admin/${encodedEmail(subject)}`,
      expectedStatuses: statusesIfSignedIn(403, 200, 200),
    },
    'POST /profile': {
      path: () => '/profile',
      body: ({ owner }) => ({ email: owner.email, ...PROFILE }),
      expectedStatuses: statusesIfSignedIn(403, 201, 403),
    },
    'GET /profile/:email': {
      path: (subject) => `/profile/${encodedEmail(subject)}`,
      expectedStatuses: statusesIfSignedIn(403, 200, 200),
    },
    // This row comes last, because it ends the sessions.
    'DELETE /session': { path: () => '/session', expectedStatuses: statusesIfSignedIn(204, 204, 204) },
  };

  const tokens = {} as Record<CallerKind, string | undefined>;
  let testKit: OrderTestKit;
  let owner: Customer;
  let tool: string;

  beforeAll(async () => {
    testKit = await openOrderTestKit({ env: { MAX_UNPAID_ORDERS: '10000' } });
    owner = await testKit.createCustomer();
    tool = (await testKit.createTool({ availableQuantity: 10_000 })).id;
    const [other, unverified, demoted, admin] = [
      await testKit.createCustomer(),
      await testKit.createCustomer(),
      await testKit.createCustomer('admin'),
      await testKit.createCustomer('admin'),
    ];
    await testKit.deps.db.$client.query(`update users set role = 'member' where id = $1`, [demoted.id]);
    await testKit.deps.db.$client.query('update users set email_verified = (id <> $1)', [unverified.id]);
    const twoHoursAgo = () => new Date(Date.now() - 2 * 3_600_000);
    const issuerOfTwoHoursAgo = createAccessTokens(
      await getOrCreateSecret(testKit.deps.db, 'access-token'),
      twoHoursAgo,
    );
    Object.assign(tokens, {
      garbage: 'garbage',
      expired: await issuerOfTwoHoursAgo.issue(owner.id),
      owner: owner.token,
    });
    Object.assign(tokens, {
      other: other.token,
      unverified: unverified.token,
      demoted: demoted.token,
      admin: admin.token,
      tools: await addMachineKey(testKit.deps.db, 'shelf', ['tools']),
      orders: await addMachineKey(testKit.deps.db, 'erp', ['orders']),
    });
  });
  afterAll(() => testKit.close());

  // Clauses C.2.11, C.2.12, C.5.13
  test.each(Object.entries(MATRIX))(
    'the route %s answers each of ten kinds of callers with the documented status',
    async (name, { path, body, headers, expectedStatuses }) => {
      const [method = ''] = name.split(' ');
      const statuses: Record<string, number> = {};
      for (const kind of CALLERS) {
        const draft = { productName: 'x', toolId: tool, totalQuantity: 1 };
        const { body: order } = await testKit.placeOrder({ ...owner, token: tokens.owner! }, draft);
        const subject = { owner, order: order._id, tool };
        const token = tokens[kind];
        const caller = token === undefined ? null : { ...owner, token };
        statuses[kind] = (await testKit.call(caller, method, path(subject), body?.(subject), headers)).status;
      }
      expect(statuses).toEqual(expectedStatuses);
    },
  );
});

describe('The routes', () => {
  /** All other routes answer 401 to an anonymous caller. */
  const PUBLIC_CALLS = [...callsWithAccess('public'), ...PUBLIC_NON_API_ROUTES];

  const { routes, onRoute } = collectRoutes();
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop({ onRoute });
  });
  afterAll(() => shop.close());

  const call = (route: string, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const url = path.replace(':id', '00000000-0000-4000-8000-000000000000').replace(':email', 'somebody@mail.example');
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
    return fetch(shop.origin + url, {
      method,
      body,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    });
  };

  // Clauses A.1.7, C.1.1
  test('exactly the documented routes are registered', () => {
    expect([...routes].sort()).toEqual([...Object.keys(ACCESS_BY_CALL), ...PUBLIC_NON_API_ROUTES].sort());
    expect(Object.values(MACHINE_ROUTES).flat()).toEqual(
      Object.values(MACHINE_ROUTES)
        .flat()
        .filter((route) => routes.includes(route)),
    );
  });

  // Clauses A.6.1, A.7.11, A.7.16, C.2.1, C.2.2, C.2.3, C.2.6
  test('a route that is not public answers 401 without a valid token, before it validates the body', async () => {
    for (const route of routes.filter((name) => !PUBLIC_CALLS.includes(name)))
      for (const headers of [
        {} as Record<string, string>,
        { authorization: 'Bearer garbage' },
        { authorization: 'Bearer ' },
        { authorization: 'Basic YTpi' },
      ]) {
        const response = await call(route, headers);
        expect([route, response.status, response.headers.get('www-authenticate')]).toEqual([route, 401, 'Bearer']);
      }
  });

  // Clause C.1.2
  test('a browser that opens an API path gets a 404 page, and every response of that path has "Vary: Accept"', async () => {
    for (const path of ['/tool', '/review', '/order', '/user']) {
      const response = await fetch(shop.origin + path, { headers: { accept: 'text/html,*/*' } });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      const apiResponse = await fetch(shop.origin + path, { headers: { accept: 'application/json' } });
      expect([path, response.headers.get('vary'), apiResponse.headers.get('vary')]).toEqual([
        path,
        expect.stringContaining('Accept'),
        expect.stringContaining('Accept'),
      ]);
    }
  });
});
