import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { eq } from 'drizzle-orm';
import Fastify from 'fastify';
import { connect } from 'node:net';
import { CODES } from '../../../src/contract/errorCodes';
import { reviews, tools } from '../../../server/db/schema';
import { registerNativeRefusals } from '../../../server/http/nativeRefusals';
import { answer } from '../../../server/http/problems';
import { bearer, newAdmin, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
let token: Record<string, string>;
beforeAll(async () => {
  shop = await startShop({ env: { DEMO: 'on' } });
  token = bearer(await newCustomer(shop));
});
afterAll(() => shop.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.origin + path, { headers });
const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(shop.origin + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...token, ...headers },
  });
const payFor = (id: string) => post(`/create-payment-intent?order=${id}`, '{"totalPrice":7}');
const review = { description: 'Good.', ratings: 5, img: 'https://img.example/a.png' };

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = (await response.json()) as Record<string, unknown>;
  expect(Object.keys(CODES)).toContain(body['code']);
  expect(body).toMatchObject({
    type: `/problems/${body['code']}`,
    status: response.status,
    instance: response.headers.get('x-request-id'),
  });
  expect(body['detail']).toMatch(/\.$/);
  return body;
}

// Clauses A.8.11, C.4.1, C.4.4, C.4.6
test.each([
  ['malformed JSON', 400, 'malformed_json', () => post('/review', '{"a":')],
  ['an empty body', 400, 'malformed_json', () => post('/review', '')],
  ['a prototype in disguise', 400, 'malformed_json', () => post('/review', '{"__proto__":{"admin":true}}')],
  [
    'another content type',
    415,
    'json_only',
    () => post('/review', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  ['plain text', 415, 'json_only', () => post('/review', '{}', { 'content-type': 'text/plain' })],
  ['a huge body', 413, 'body_too_large', () => post('/review', JSON.stringify({ description: 'x'.repeat(40_000) }))],
  ['a broken percent sign', 400, 'bad_request', () => get('/tool/%E0%A4%A', { accept: 'application/json' })],
  ['an email said twice', 403, 'forbidden', () => get('/order?email=a@mail.example&email=b@mail.example', token)],
  [
    'lists in lists, 8,000 deep',
    422,
    'validation',
    () => post('/review', `{"img":${'['.repeat(8000)}${']'.repeat(8000)}}`),
  ],
  ['an id that is none', 404, 'not_found', () => get('/tool/abc')],
  ['an id of any length', 404, 'not_found', () => payFor('x'.repeat(200))],
  ['an id with a NUL', 404, 'not_found', () => get('/tool/%00')],
  ['a path too long', 414, 'uri_too_long', () => get(`/admin/${'a'.repeat(400)}@mail.example`, token)],
  ['a call that is not there', 404, 'not_found', () => post('/refund', '{}')],
  ['an unknown part of the page', 404, 'not_found', () => get('/assets/main.00000000.js')],
])('%s is refused as problem+json', async (_what, status, code, ask) => {
  const response = await ask();
  expect([response.status, (await problemOf(response))['code']]).toEqual([status, code]);
});

// Clauses C.4.4, C.15.5
test.each([
  ['a boolean for a number', { ...review, ratings: true }, 'ratings'],
  ['text for a number', { ...review, ratings: '5' }, 'ratings'],
  ['nothing for a number', { ...review, ratings: null }, 'ratings'],
  ['a list for a number', { ...review, ratings: [5] }, 'ratings'],
  ['a fraction', { ...review, ratings: 4.5 }, 'ratings'],
  ['a number too large', { ...review, ratings: 6 }, 'ratings'],
  ['text too long', { ...review, description: 'x'.repeat(2001) }, 'description'],
  ['text of spaces', { ...review, description: '   ' }, 'description'],
  ['a NUL', { ...review, description: 'a\u0000b' }, 'description'],
  ['half a character', { ...review, description: 'a\ud800b' }, 'description'],
  ['a script for a link', { ...review, img: 'javascript:alert(1)' }, 'img'],
  ['another server’s path', { ...review, img: '//evil.example/a.png' }, 'img'],
  ['a field nobody knows', { ...review, paid: true }, 'paid'],
  ['a missing field', { description: 'a', ratings: 5 }, 'img'],
])('%s is 422 and names its field', async (_what, body, field) => {
  const response = await post('/review', JSON.stringify(body));
  expect(response.status).toBe(422);
  const { errors } = await problemOf(response);
  expect((errors as { field: string }[]).map((error) => error.field)).toEqual([field]);
});

// Clause C.4.3
test('all bad fields are named at once', async () => {
  const response = await post('/review', JSON.stringify({ ratings: 9, description: '' }));
  const { errors } = await problemOf(response);
  expect((errors as { field: string }[]).map(({ field }) => field).sort()).toEqual(['description', 'img', 'ratings']);
});

const ON_THE_BARE_SOCKET = [
  /^x-content-type-options: nosniff\r$/m,
  /^referrer-policy: strict-origin-when-cross-origin\r$/m,
  /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/m,
  /^cache-control: no-store\r$/m,
  /^cross-origin-resource-policy: same-origin\r$/m,
  /^x-request-id: \S+\r$/m,
];

// Clause C.4.1
test.each([
  ['is none', 'NOT HTTP\r\n\r\n', 400, 'bad_request'],
  ['names no host', 'GET /tool HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
  ['expects what the shop cannot do', 'GET /tool HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n', 417, 'bad_request'],
  [
    'expects it with a body that never comes',
    'POST /order HTTP/1.1\r\nhost: x\r\nexpect: x\r\ncontent-length: 9\r\n\r\n',
    417,
    'bad_request',
  ],
  [
    'has too long a head',
    `GET /tool HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['never comes to the end of its head', 'GET /tool HTTP/1.1\r\nhost: x\r\n', 408, 'request_timeout'],
])('a request that %s is answered in the same words', async (_what, sent, status, code) => {
  const { server } = shop.app;
  expect(server.headersTimeout).toBe(10_000);
  server.headersTimeout = 500;
  const said = await new Promise<string>((resolve) => {
    const socket = connect(shop.deps.settings.port, '127.0.0.1', () => socket.write(sent));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
  server.headersTimeout = 10_000;
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(said).toContain(`"code":"${code}"`);
  for (const line of ON_THE_BARE_SOCKET) expect(said).toMatch(line);
  expect(said).not.toMatch(/strict-transport-security/);
});

test('a server that stops refuses new requests as problem+json', async () => {
  const closing = new AbortController();
  const app = Fastify({ return503OnClosing: false }).withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(answer);
  registerNativeRefusals(app, closing.signal);
  app.get('/', async () => 'served');
  expect((await app.inject('/')).body).toBe('served');
  closing.abort();
  const { statusCode, headers, body } = await app.inject('/');
  expect([statusCode, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '2', 'unavailable']);
  await app.close();
});

// Clauses A.3.1, A.7.2, C.2.3, C.3.1, C.3.8, C.13.1
test('GET /tool has an ETag, answers 304, and is exact at once after a write', async () => {
  const first = await get('/tool');
  const etag = first.headers.get('etag')!;
  expect((await get('/tool', { 'if-none-match': etag })).status).toBe(304);
  const admin = bearer(await newAdmin(shop));
  const draft = {
    name: 'New tool',
    price: 5,
    minimumOrderQuantity: 1,
    availableQuantity: 9,
    description: 'New.',
    img: '/images/placeholder.svg',
  };
  const made = await post('/tool', JSON.stringify(draft), admin);
  expect(made.status).toBe(201);
  const { _id } = (await made.json()) as { _id: string };
  const after = await get('/tool', { 'if-none-match': etag });
  expect(after.status).toBe(200);
  expect(((await after.json()) as unknown[]).at(-1)).toEqual({ _id, ...draft });
  expect(await (await get(`/tool/${_id}`)).json()).toEqual({ _id, ...draft });
});

test('GET /tool is compressed for who can take it', async () => {
  for (const encoding of ['br', 'gzip']) {
    const response = await get('/tool', { 'accept-encoding': encoding });
    expect([encoding, response.headers.get('content-encoding')]).toEqual([encoding, encoding]);
    expect(Array.isArray(await response.json())).toBe(true);
  }
});

test('a drawing is packed for who can take it, and what is not for the public is not there', async () => {
  for (const encoding of ['br', 'gzip']) {
    const { headers, status } = await get('/images/placeholder.svg', { 'accept-encoding': encoding });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, encoding, 'Accept-Encoding']);
  }
  for (const path of ['/page.html', '/start.js', '/images/placeholder.svg.br'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('health says alive and ready, metrics count requests', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'alive' });
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' });
  expect(await (await get('/metrics')).text()).toMatch(
    /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/healthz",http_response_status_code="200"\} \d+/,
  );
});

// Clauses A.7.19, A.7.20
test('the contract is there for machines and for people', async () => {
  const contract = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> };
  expect(Object.keys(contract.paths)).toEqual(
    expect.arrayContaining(['/tool', '/order/{id}', '/user/admin/{email}', '/create-payment-intent']),
  );
  expect(await (await get('/docs')).text()).toContain('<code>/create-payment-intent</code>');
});

// Clause C.17.1
test('the demo sells at least 24 tools and shows 12 reviews, marked as such', async () => {
  const shown = (await (await get('/tool')).json()) as unknown[];
  expect(shown.length).toBeGreaterThanOrEqual(24);
  expect(await (await get('/review')).json()).toHaveLength(12);
  const marked = (table: typeof tools | typeof reviews) => shop.deps.db.$count(table, eq(table.demo, true));
  expect(await marked(tools)).toBeGreaterThanOrEqual(24);
  expect(await marked(reviews)).toBe(12);
});
