import { startShop } from '../../support/shop';
import { callsWithAccess, ACCESS_BY_CALL, collectRoutes, PUBLIC_NON_API_ROUTES } from '../../support/routes';

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
