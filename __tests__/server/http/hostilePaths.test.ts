import { spawnSync } from 'node:child_process';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { shortestWait, type Attack } from './shortestWait';
import { newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

const ROOT = join(__dirname, '../../..');
/** What Node.js still reads as one request head of at most 16 KiB. */
const LONG = 15_000;
const BODY = 30_000;
/** What is linear delays others by less than 20 ms. What is quadratic took 55 to 350 ms. */
const MEASURABLE_MS = 40;

let shop: Awaited<ReturnType<typeof startShop>>;
let authorization: string;
let own: string;
beforeAll(async () => {
  shop = await startShop({ env: { DEMO: 'on', TRUST_PROXY: '127.0.0.1' } });
  const customer = await newCustomer(shop);
  authorization = `Bearer ${customer.token}`;
  own = `/order?email=${customer.email}`;
  await shortestWait(shop.origin, { path: '/', headers: HTML }, MEASURABLE_MS);
});
afterAll(() => shop.close());

const many = (part: string, length = LONG) => part.repeat(Math.floor(length / part.length));
const HTML = { accept: 'text/html' };
const page = (path: string): Attack => ({ path, headers: HTML });
const header = (name: string, value: string, path = '/tool'): [string, Attack] => [
  `${name}: ${JSON.stringify(value.slice(0, 24))}...`,
  { path, headers: { [name]: value } },
];
const post = (path: string, body: string, type: string, headers: OutgoingHttpHeaders = {}): Attack => ({
  path,
  method: 'POST',
  body,
  headers: { 'content-type': type, ...headers },
});
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const PATHS: [string, Attack][] = [
  ['slashes', page(many('/'))],
  ['slashes before a letter', page(`${many('/')}x`)],
  ['slashes behind a page', page(`/home${many('/')}`)],
  ['slashes inside a page', page(`/purchase${many('/')}x`)],
  ['encoded slashes', page(`/${many('%2F')}`)],
  ['short segments', page(many('/a'))],
  ['parent folders', { path: `/images/${many('../')}` }],
  ['slashes in the folder of pictures', { path: `/images${many('/')}` }],
  ['dots in the folder of scripts', { path: `/assets/${many('.')}` }],
  ['ampersands in the query', { path: `/tool?${many('&')}` }],
  ['one field again and again in the query', { path: `/tool?${many('a&')}` }],
  ['percent signs in the query', { path: `/tool?a=${many('%25')}` }],
];

const HEADERS: [string, Attack][] = [
  header('accept', many('text/')),
  header('accept', many('text/htm', LONG), '/'),
  header('accept-encoding', many('br ')),
  header('accept-encoding', `br${many(' ')}x`),
  header('accept-encoding', `br;q=0.${many('0')}x`),
  header('accept-encoding', many('br;q=0.0x,')),
  header('accept-encoding', many('gzip;'), '/images/placeholder.svg'),
  header('accept-encoding', many(','), '/images/placeholder.svg'),
  header('if-none-match', many('W/"', LONG)),
  header('if-none-match', many(','), '/images/placeholder.svg'),
  header('range', `bytes=${many('0-0,')}`, '/images/placeholder.svg'),
  header('forwarded', many('for=a;')),
  header('x-forwarded-for', many(',')),
  header('x-forwarded-for', many('a:')),
  header('x-forwarded-for', many('0')),
  header('x-forwarded-for', many('127.0.0.1,')),
  header('x-forwarded-host', many('a.')),
  header('cookie', many('a=b; ')),
  header('authorization', `Bearer${many(' ')}x`, '/order'),
  header('authorization', `Bearer ${many('.')}`, '/order'),
  header('authorization', `Bearer${many(' ')}x`, '/v1/payment_intents'),
];

const PUBLISHABLE = { authorization: 'Bearer pk_test_forgeline' };
/** Normalizing sorts them, one by one. */
const MARKS = '\u0301'.repeat(3900) + '\u0316'.repeat(3900);
const CALLS: [string, () => Attack][] = [
  ['a Prefer of separators', () => ({ path: own, headers: { authorization, prefer: many(';') } })],
  ['a Prefer of half values', () => ({ path: own, headers: { authorization, prefer: many(',return=') } })],
  [
    'an email of combining marks',
    () => ({ path: `/order?email=a${many('%CC%81%CC%96')}`, headers: { authorization } }),
  ],
  ['a content type of semicolons', () => post('/review', '{}', `${JSON_TYPE}${many(';')}`, { authorization })],
  ['a content type of parameters', () => post('/review', '{}', `${JSON_TYPE}${many(';a=a')}`, { authorization })],
  ['a content type of spaces', () => post('/review', '{}', `${JSON_TYPE};${many(' ')}=`, { authorization })],
  [
    'unknown fields',
    () => {
      const fields = Array.from({ length: BODY / 8 }, (_, n) => [n.toString(36), 0]);
      return post('/review', JSON.stringify(Object.fromEntries(fields)), JSON_TYPE, { authorization });
    },
  ],
  [
    'spaces for a description',
    () => post('/review', `{"description":"${many(' ', BODY)}"}`, JSON_TYPE, { authorization }),
  ],
  ['dots for a link', () => post('/review', `{"img":"${many('a.', BODY)}!"}`, JSON_TYPE, { authorization })],
  ['a prototype and spaces', () => post('/review', many('"__proto__"   ', BODY), JSON_TYPE, { authorization })],
  ['signatures of a webhook', () => post('/webhooks/stripe', '{}', JSON_TYPE, { 'stripe-signature': many('v1=a,') })],
  [
    'an address of combining marks at sign-in',
    () => {
      const body = JSON.stringify({ identifier: `a${MARKS}`, continueUri: 'http://localhost' });
      return post('/identitytoolkit.googleapis.com/v1/accounts:createAuthUri', body, JSON_TYPE);
    },
  ],
  ['brackets in a form', () => post('/v1/payment_methods', `a${many('[', BODY)}=1`, FORM_TYPE, PUBLISHABLE)],
  ['empty brackets in a form', () => post('/v1/payment_methods', `a${many('[]', BODY)}=1`, FORM_TYPE, PUBLISHABLE)],
  ['dashes for a card', () => post('/v1/payment_methods', `card[number]=${many('- ', BODY)}`, FORM_TYPE, PUBLISHABLE)],
];

const namedPaths = PATHS.map(([name, attack]): [string, Attack] => [`a path of ${name}`, attack]);

test.each([...namedPaths, ...HEADERS])('%s does not delay other requests', async (_name, attack) => {
  expect(await shortestWait(shop.origin, attack, MEASURABLE_MS)).toBeLessThan(MEASURABLE_MS);
});

test.each(CALLS)('%s does not delay other requests', async (_name, attack) => {
  expect(await shortestWait(shop.origin, attack(), MEASURABLE_MS)).toBeLessThan(MEASURABLE_MS);
});

/** The patterns of the schemas are strings, so the linter does not see them. */
function patternsIn(schema: unknown, found = new Set<string>()): Set<string> {
  for (const [key, value] of Object.entries(schema ?? {})) {
    if (key === 'pattern' && typeof value === 'string') found.add(value);
    else if (typeof value === 'object') patternsIn(value, found);
  }
  return found;
}

function shortestRunMs(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

test('the patterns of the schemas take linear time', async () => {
  const patterns = patternsIn(await (await fetch(`${shop.origin}/openapi.json`)).json());
  expect(patterns.size).toBeGreaterThan(1);
  for (const pattern of patterns)
    for (const part of ['a', ' ', 'a ', '\n', '/', '\u0001'])
      for (const end of ['', 'a', ' ', '\0']) {
        const text = many(part, BODY) + end;
        const expression = new RegExp(pattern, 'u');
        expect([pattern, part, end, shortestRunMs(() => expression.test(text)) < MEASURABLE_MS]).toContain(true);
      }
});

const QUADRATIC = [
  ['server/x.ts', "export const trimmed = (path: string) => path.replace(/\\/+$/, '');", 'no-super-linear-move'],
  ['src/ui/x.ts', 'export const isList = (text: string) => /^(a+,?)+$/.test(text);', 'no-super-linear-backtracking'],
] as const;

test('the linter refuses a regular expression of quadratic cost', () => {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, '__tests__/tooling/lintSources.mjs')], {
    cwd: ROOT,
    input: JSON.stringify(QUADRATIC.map(([file, code]) => ({ file: join(ROOT, file), code }))),
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual(QUADRATIC.map(([, , rule]) => [`regexp/${rule}`]));
});
