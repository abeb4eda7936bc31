import { connect } from 'node:net';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** Sends these bytes and waits until the server closes the connection. */
const send = (bytes: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(shop.deps.settings.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });

const NO_HOST = 'This request has no Host header.';
const EXPECT = 'The shop does not support the Expect header of this request. Send the request without it.';
const UNREADABLE = "We couldn't read this request. Reload the page and try again.";

// Clause C.4.1
test.each([
  ['is not HTTP', 'NOT HTTP\r\n\r\n', '400 Bad request', 'bad_request', UNREADABLE],
  [
    'has headers that are too large',
    `GET /tool HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Headers too large',
    'headers_too_large',
    'The request headers are too large.',
  ],
  [
    'has an unsupported Expect header',
    'GET /tool HTTP/1.1\r\nhost: localhost\r\nexpect: x\r\n\r\n',
    '417 Expectation Failed',
    'bad_request',
    EXPECT,
  ],
  ['has no Host header', 'GET /tool HTTP/1.1\r\nconnection: close\r\n\r\n', '400 Bad Request', 'bad_request', NO_HOST],
])('a request that %s gets one complete response that says so', async (_case, sent, statusLine, code, detail) => {
  const response = await send(sent);
  const [head = '', body = '', ...more] = response.split('\r\n\r\n');
  const [firstLine, ...lines] = head.split('\r\n');
  expect([firstLine, more]).toEqual([`HTTP/1.1 ${statusLine}`, []]);
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ')).map(([name, value]) => [name!.toLowerCase(), value]),
  );
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
  expect(JSON.parse(body)).toEqual({
    type: `/problems/${code}`,
    title: 'Bad request',
    status: Number.parseInt(statusLine, 10),
    code,
    detail,
    instance: headers['x-request-id'],
    ...(code === 'headers_too_large' && { title: 'Headers too large' }),
  });
});

test('an HTTP/1.0 request needs no Host header on a shop that others may reach', async () => {
  const exposedShop = await startShop({ env: { DEMO_EXPOSED: 'on' } });
  const { port } = exposedShop.deps.settings;
  const response = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.0\r\n\r\n'));
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString());
    });
  });
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await exposedShop.close();
});
