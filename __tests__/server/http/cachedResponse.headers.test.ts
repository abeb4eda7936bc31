import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop({ env: { DEMO: 'on' } });
});
afterAll(() => shop.close());

const KINDS = {
  notModified: { headers: { 'if-none-match': '*' }, status: 304, encoding: undefined },
  plain: { headers: {}, status: 200, encoding: undefined },
  gzip: { headers: { 'accept-encoding': 'gzip' }, status: 200, encoding: 'gzip' },
  br: { headers: { 'accept-encoding': 'br' }, status: 200, encoding: 'br' },
};
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

async function fetchKind(path: string, kind: Kind) {
  const headers = { accept: 'text/html', ...KINDS[kind].headers };
  const clientRequest = request(shop.origin + path, { headers }).end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { response, bytes: Buffer.concat(chunks).length };
}

/** @returns the headers that do not describe the body or this one response */
const commonHeadersOf = ({ headers }: IncomingMessage) =>
  Object.entries(headers).filter(
    ([name]) => !/^(content-(type|encoding|length)|transfer-encoding|date|x-request-id)$/.test(name),
  );

/** The server caches the response headers of each kind. The first response must not determine those of other kinds. */
it.each([
  ['/blogs', 'notModified'],
  ['/login', 'plain'],
  ['/signup', 'gzip'],
  ['/dashboard', 'br'],
] as const)(
  '%s sends the right headers with each kind of response, whichever kind it sends first: %s',
  async (path, first) => {
    const { response: firstResponse } = await fetchKind(path, first);
    expect(firstResponse.headers['content-security-policy']).toContain("default-src 'self'");
    for (const kind of [...kinds, ...kinds.toReversed()]) {
      const { response, bytes } = await fetchKind(path, kind);
      expect([kind, commonHeadersOf(response)]).toEqual([kind, commonHeadersOf(firstResponse)]);
      const { status, encoding } = KINDS[kind];
      const head = response.headers;
      const contentHeaders = [head['content-type'], head['content-encoding'], head['content-length']];
      const expected =
        status === 304 ? [undefined, undefined, undefined] : ['text/html; charset=utf-8', encoding, `${bytes}`];
      expect([kind, response.statusCode, ...contentHeaders]).toEqual([kind, status, ...expected]);
      expect(bytes > 0).toBe(status === 200);
      expect([head.etag, head.vary, head['cache-control']]).toEqual([
        expect.stringMatching(/^W\/"[\w-]+"$/),
        'Accept, Accept-Encoding',
        'no-cache',
      ]);
    }
  },
);

it.each([
  [undefined, undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['br;q=1, gzip', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br ;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip;q=1', 'gzip'],
  ['br  ;  q=0', undefined],
  ['br;q=0.5', 'br'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip ;q=0', undefined],
  ['gzip; q=0', undefined],
  ['gzip  ;  q=0.0', undefined],
])('a client that sends Accept-Encoding %j gets the encoding %j', async (accepted, encoding) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const [response] = (await once(request(`${shop.origin}/tool`, { headers }).end(), 'response')) as [IncomingMessage];
  response.resume();
  expect(response.headers['content-encoding']).toBe(encoding);
});

it('a 304 is sent if any of several ETags is the current one, and a 200 if none is', async () => {
  const { headers } = await fetch(`${shop.origin}/tool`);
  const statusFor = async (etags: string) =>
    (await fetch(`${shop.origin}/tool`, { headers: { 'if-none-match': etags } })).status;
  expect([await statusFor(`W/"other", ${headers.get('etag')}`), await statusFor('W/"other"')]).toEqual([304, 200]);
});
