import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { eq } from 'drizzle-orm';
import Fastify from 'fastify';
import { connect } from 'node:net';
import { ERROR_TITLES } from '../../../src/contract/errorCodes';
import { reviews, tools } from '../../../server/db/schema';
import { registerHostAndClosingChecks } from '../../../server/http/nodeHttpErrors';
import { sendProblem, problemOf } from '../../../server/http/problems';
import { bearer, newCustomer } from '../../support/customers';
import { ACCESS_BY_CALL } from '../../support/routes';
import { startShop } from '../../support/shop';

describe('Requests', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  let authorization: Record<string, string>;
  beforeAll(async () => {
    shop = await startShop({ env: { DEMO: 'on' } });
    authorization = bearer(await newCustomer(shop));
  });
  afterAll(() => shop.close());

  const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.origin + path, { headers });
  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(shop.origin + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
    });
  const payFor = (id: string) => post(`/create-payment-intent?order=${id}`, '{"totalPrice":7}');
  const review = { description: 'Good.', ratings: 5, img: 'https://img.example/a.png' };

  async function expectProblem(response: Response) {
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(ERROR_TITLES)).toContain(body['code']);
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
    ['a __proto__ field', 400, 'malformed_json', () => post('/review', '{"__proto__":{"admin":true}}')],
    [
      'another content type',
      415,
      'json_only',
      () => post('/review', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['plain text', 415, 'json_only', () => post('/review', '{}', { 'content-type': 'text/plain' })],
    ['a huge body', 413, 'body_too_large', () => post('/review', JSON.stringify({ description: 'x'.repeat(40_000) }))],
    ['an invalid percent encoding', 400, 'bad_request', () => get('/tool/%E0%A4%A', { accept: 'application/json' })],
    [
      'a repeated email',
      403,
      'forbidden',
      () => get('/order?email=a@mail.example&email=b@mail.example', authorization),
    ],
    [
      'a list nested 8,000 levels deep',
      422,
      'validation',
      () => post('/review', `{"img":${'['.repeat(8000)}${']'.repeat(8000)}}`),
    ],
    ['an invalid id', 404, 'not_found', () => get('/tool/abc')],
    ['an id of 200 characters', 404, 'not_found', () => payFor('x'.repeat(200))],
    ['an id with a NUL', 404, 'not_found', () => get('/tool/%00')],
    [
      'a path that is too long',
      414,
      'uri_too_long',
      () => get(`/admin/${'a'.repeat(400)}@mail.example`, authorization),
    ],
    ['an unknown route', 404, 'not_found', () => post('/refund', '{}')],
    ['an unknown chunk', 404, 'not_found', () => get('/assets/main.00000000.js')],
  ])('%s is refused with a problem+json response', async (_case, status, code, send) => {
    const response = await send();
    expect([response.status, (await expectProblem(response))['code']]).toEqual([status, code]);
  });

  // Clauses C.4.4, C.15.5
  test.each([
    ['text that consists of spaces', { ...review, description: '   ' }, 'description'],
    ['a NUL', { ...review, description: 'a\u0000b' }, 'description'],
    ['an unpaired surrogate', { ...review, description: 'a\ud800b' }, 'description'],
    ['a script as a link', { ...review, img: 'javascript:alert(1)' }, 'img'],
    ['a link without a scheme', { ...review, img: '//evil.example/a.png' }, 'img'],
    ['an unknown field', { ...review, paid: true }, 'paid'],
    ['a missing field', { description: 'a', ratings: 5 }, 'img'],
  ])('%s gets a 422 that names the invalid field', async (_case, body, field) => {
    const response = await post('/review', JSON.stringify(body));
    expect(response.status).toBe(422);
    const { errors } = await expectProblem(response);
    expect((errors as { field: string }[]).map((error) => error.field)).toEqual([field]);
  });

  const REQUIRED_HEADERS = [
    /^x-content-type-options: nosniff\r$/m,
    /^referrer-policy: strict-origin-when-cross-origin\r$/m,
    /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/m,
    /^cache-control: no-store\r$/m,
    /^cross-origin-resource-policy: same-origin\r$/m,
    /^x-request-id: \S+\r$/m,
  ];

  // Clause C.4.1
  test.each([
    ['is not HTTP', 'NOT HTTP\r\n\r\n', 400, 'bad_request'],
    ['has no Host header', 'GET /tool HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['has an unsupported Expect header', 'GET /tool HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n', 417, 'bad_request'],
    [
      'has an unsupported Expect header and never sends its body',
      'POST /order HTTP/1.1\r\nhost: x\r\nexpect: x\r\ncontent-length: 9\r\n\r\n',
      417,
      'bad_request',
    ],
    [
      'has headers that are too large',
      `GET /tool HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['never finishes its headers', 'GET /tool HTTP/1.1\r\nhost: x\r\n', 408, 'request_timeout'],
  ])(
    'a request that %s is refused with a problem+json response that has the usual security headers',
    async (_case, sent, status, code) => {
      const { server } = shop.app;
      expect(server.headersTimeout).toBe(10_000);
      server.headersTimeout = 500;
      const response = await new Promise<string>((resolve) => {
        const socket = connect(shop.deps.settings.port, '127.0.0.1', () => socket.write(sent));
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
      });
      server.headersTimeout = 10_000;
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(response).toContain(`"code":"${code}"`);
      for (const line of REQUIRED_HEADERS) expect(response).toMatch(line);
      expect(response).not.toMatch(/strict-transport-security/);
    },
  );

  test('a server that is stopping refuses new requests with a 503 and Retry-After', async () => {
    const closing = new AbortController();
    const app = Fastify({ return503OnClosing: false }).withTypeProvider<TypeBoxTypeProvider>();
    app.setErrorHandler(sendProblem);
    registerHostAndClosingChecks(app, closing.signal);
    app.get('/', async () => 'served');
    expect((await app.inject('/')).body).toBe('served');
    closing.abort();
    const { statusCode, headers, body } = await app.inject('/');
    expect([statusCode, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '2', 'unavailable']);
    await app.close();
  });

  // Clauses A.3.1, A.7.2, C.2.3, C.3.1, C.3.8, C.13.1
  test('GET /tool has an ETag, answers 304 if nothing has changed, and is up to date right after a write', async () => {
    const first = await get('/tool');
    const etag = first.headers.get('etag')!;
    expect((await get('/tool', { 'if-none-match': etag })).status).toBe(304);
    const admin = bearer(await newCustomer(shop, { role: 'admin' }));
    const draft = {
      name: 'New tool',
      price: 5,
      minimumOrderQuantity: 1,
      availableQuantity: 9,
      description: 'New.',
      img: '/images/placeholder.svg',
    };
    const created = await post('/tool', JSON.stringify(draft), admin);
    expect(created.status).toBe(201);
    const { _id } = (await created.json()) as { _id: string };
    const changed = await get('/tool', { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(((await changed.json()) as unknown[]).at(-1)).toEqual({ _id, ...draft });
    expect(await (await get(`/tool/${_id}`)).json()).toEqual({ _id, ...draft });
  });

  test('a static image is compressed for clients that accept compression', async () => {
    for (const encoding of ['br', 'gzip']) {
      const { headers, status } = await get('/images/placeholder.svg', { 'accept-encoding': encoding });
      expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([
        200,
        encoding,
        'Accept-Encoding',
      ]);
    }
  });

  test('the health checks report that the server is alive and ready, and the metrics count requests', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'alive' });
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' });
    expect(await (await get('/metrics')).text()).toMatch(
      /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/healthz",http_response_status_code="200"\} \d+/,
    );
  });

  // Clauses A.7.19, A.7.20
  test('the OpenAPI document describes every call of the shop, but no embedded service', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(operations).toEqual(expect.arrayContaining(Object.keys(ACCESS_BY_CALL)));
    expect(Object.keys(paths).filter((path) => /^\/(v1|identity|securetoken)/.test(path))).toEqual([]);
    expect(JSON.stringify(paths).match(/"summary":"[A-Z]/g)).toHaveLength(operations.length);
  });

  // Clause C.17.1
  test('the demo has at least 24 tools and 12 reviews that are marked as demo data', async () => {
    const listedTools = (await (await get('/tool')).json()) as unknown[];
    expect(listedTools.length).toBeGreaterThanOrEqual(24);
    expect(await (await get('/review')).json()).toHaveLength(12);
    const countDemoRows = (table: typeof tools | typeof reviews) => shop.deps.db.$count(table, eq(table.demo, true));
    expect(await countDemoRows(tools)).toBeGreaterThanOrEqual(24);
    expect(await countDemoRows(reviews)).toBe(12);
  });
});

describe('Errors', () => {
  const DETAILS: Record<string, string> = {
    bad_request: "We couldn't read this request. Reload the page and try again.",
    unavailable: 'The shop is busy. Please try again in a moment.',
    internal: 'Something went wrong on our side. Please try again.',
  };
  const RETRY_AFTER = { retryAfter: 2 };

  const databaseError = (code: string) => Object.assign(new Error('inside words'), { code });

  describe('An error of PostgreSQL', () => {
    it.each([
      ['22P02', 404, 'not_found', "This address doesn't exist."],
      ['22003', 422, 'validation', "A value can't be stored."],
      ['22P05', 422, 'validation', "A value can't be stored."],
      ['23505', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
      ['23514', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
      ['23P01', 409, 'bad_request', 'This has changed since you opened it. Reload and try again.'],
      ['53100', 507, 'storage_full', "We can't save anything right now. Nothing was changed. Please try again later."],
      ['23502', 500, 'internal', DETAILS['internal']],
      ['42P01', 500, 'internal', DETAILS['internal']],
      ['XX022', 500, 'internal', DETAILS['internal']],
      ['XX057', 500, 'internal', DETAILS['internal']],
    ])('with the code %s becomes a %d with the code %s', (sqlState, status, code, detail) => {
      for (const error of [databaseError(sqlState), new Error('outer', { cause: databaseError(sqlState) })])
        expect({ ...problemOf(error) }).toEqual({ status, code, detail, extra: {} });
    });

    it.each(['08006', '25006', '25P03', '40001', '40P01', '53300', '55P03', '57014', '57P01'])(
      'with the code %s becomes a 503 with Retry-After, because a retry may succeed',
      (sqlState) => {
        const expected = { status: 503, code: 'unavailable', detail: DETAILS['unavailable'], extra: RETRY_AFTER };
        expect({ ...problemOf(databaseError(sqlState)) }).toEqual(expected);
        for (const outerCode of ['ERR_OUTER', 'OUTER_ERR', 'E'])
          expect({ ...problemOf(Object.assign(databaseError(outerCode), { cause: databaseError(sqlState) })) }).toEqual(
            expected,
          );
      },
    );
  });
});
