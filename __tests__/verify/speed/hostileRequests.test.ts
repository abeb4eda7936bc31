import type { OutgoingHttpHeaders } from 'node:http';
import { normalizeEmail } from '../../../server/auth/emailAddress';
import { measureShortestWait, type Attack } from './measureShortestWait';
import { newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

/** Fits into a request head, which Node.js limits to 16 KiB. */
const HEAD_LENGTH = 15_000;
const BODY_LENGTH = 30_000;
/** Measured: linear work delayed other requests by less than 20 ms, quadratic work by 55 to 350 ms. */
const MEASURABLE_MS = 40;

let shop: Awaited<ReturnType<typeof startShop>>;
let authorization: string;
let ordersPath: string;
beforeAll(async () => {
  shop = await startShop({ env: { DEMO: 'on' } });
  const customer = await newCustomer(shop);
  authorization = `Bearer ${customer.token}`;
  ordersPath = `/order?email=${customer.email}`;
  await measureShortestWait(shop.origin, { path: '/', headers: HTML }, MEASURABLE_MS);
});
afterAll(() => shop.close());

const repeatTo = (part: string, length = HEAD_LENGTH) => part.repeat(Math.floor(length / part.length));
const HTML = { accept: 'text/html' };
const attackPage = (path: string): Attack => ({ path, headers: HTML });
const attackHeader = (name: string, value: string, path = '/tool'): [string, Attack] => [
  `${name}: ${JSON.stringify(value.slice(0, 24))}...`,
  { path, headers: { [name]: value } },
];
const attackWithBody = (path: string, body: string, type: string, headers: OutgoingHttpHeaders = {}): Attack => ({
  path,
  method: 'POST',
  body,
  headers: { 'content-type': type, ...headers },
});
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const PATHS: [string, Attack][] = [
  ['slashes', attackPage(repeatTo('/'))],
  ['slashes before a letter', attackPage(`${repeatTo('/')}x`)],
  ['slashes after a page', attackPage(`/home${repeatTo('/')}`)],
  ['slashes inside a page', attackPage(`/purchase${repeatTo('/')}x`)],
  ['encoded slashes', attackPage(`/${repeatTo('%2F')}`)],
  ['short segments', attackPage(repeatTo('/a'))],
  ['parent folders', { path: `/images/${repeatTo('../')}` }],
  ['slashes in the folder of pictures', { path: `/images${repeatTo('/')}` }],
  ['dots in the folder of scripts', { path: `/assets/${repeatTo('.')}` }],
];

const HEADERS: [string, Attack][] = [
  attackHeader('accept', repeatTo('text/')),
  attackHeader('accept', repeatTo('text/htm', HEAD_LENGTH), '/'),
  attackHeader('accept-encoding', repeatTo('br ')),
  attackHeader('accept-encoding', `br${repeatTo(' ')}x`),
  attackHeader('accept-encoding', `br;q=0.${repeatTo('0')}x`),
  attackHeader('accept-encoding', repeatTo('br;q=0.0x,')),
  attackHeader('accept-encoding', repeatTo('gzip;'), '/images/placeholder.svg'),
  attackHeader('accept-encoding', repeatTo(','), '/images/placeholder.svg'),
  attackHeader('if-none-match', repeatTo('W/"', HEAD_LENGTH)),
  attackHeader('if-none-match', repeatTo(','), '/images/placeholder.svg'),
  attackHeader('authorization', `Bearer${repeatTo(' ')}x`, '/order'),
  attackHeader('authorization', `Bearer ${repeatTo('.')}`, '/order'),
  attackHeader('authorization', `Bearer${repeatTo(' ')}x`, '/v1/payment_intents'),
];

const PUBLISHABLE = { authorization: 'Bearer pk_test_forgeline' };
/** Combining marks in non-canonical order, which Unicode normalization has to sort. */
const MARKS = '\u0301'.repeat(3900) + '\u0316'.repeat(3900);
const HOSTILE_CALLS: [string, () => Attack][] = [
  ['a Prefer header of separators', () => ({ path: ordersPath, headers: { authorization, prefer: repeatTo(';') } })],
  [
    'a Prefer header of values without content',
    () => ({ path: ordersPath, headers: { authorization, prefer: repeatTo(',return=') } }),
  ],
  [
    'an email of combining marks',
    () => ({ path: `/order?email=a${repeatTo('%CC%81%CC%96')}`, headers: { authorization } }),
  ],
  [
    'unknown fields',
    () => {
      const fields = Array.from({ length: BODY_LENGTH / 8 }, (_, n) => [n.toString(36), 0]);
      return attackWithBody('/review', JSON.stringify(Object.fromEntries(fields)), JSON_TYPE, { authorization });
    },
  ],
  [
    'a description of spaces',
    () => attackWithBody('/review', `{"description":"${repeatTo(' ', BODY_LENGTH)}"}`, JSON_TYPE, { authorization }),
  ],
  [
    'a link that consists of dots',
    () => attackWithBody('/review', `{"img":"${repeatTo('a.', BODY_LENGTH)}!"}`, JSON_TYPE, { authorization }),
  ],
  [
    'a webhook with many signatures',
    () => attackWithBody('/webhooks/stripe', '{}', JSON_TYPE, { 'stripe-signature': repeatTo('v1=a,') }),
  ],
  [
    'an email of combining marks at sign-in',
    () => {
      const body = JSON.stringify({ email: `a${MARKS}`, password: 'x' });
      return attackWithBody('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword', body, JSON_TYPE);
    },
  ],
  [
    'brackets in a form',
    () => attackWithBody('/v1/payment_methods', `a${repeatTo('[', BODY_LENGTH)}=1`, FORM_TYPE, PUBLISHABLE),
  ],
  [
    'empty brackets in a form',
    () => attackWithBody('/v1/payment_methods', `a${repeatTo('[]', BODY_LENGTH)}=1`, FORM_TYPE, PUBLISHABLE),
  ],
  [
    'a card number of dashes',
    () => attackWithBody('/v1/payment_methods', `card[number]=${repeatTo('- ', BODY_LENGTH)}`, FORM_TYPE, PUBLISHABLE),
  ],
];

const namedPaths = PATHS.map(([name, attack]): [string, Attack] => [`a path of ${name}`, attack]);

test.each([...namedPaths, ...HEADERS])('%s does not delay other requests', async (_name, attack) => {
  expect(await measureShortestWait(shop.origin, attack, MEASURABLE_MS)).toBeLessThan(MEASURABLE_MS);
});

test.each(HOSTILE_CALLS)('%s does not delay other requests', async (_name, attack) => {
  expect(await measureShortestWait(shop.origin, attack(), MEASURABLE_MS)).toBeLessThan(MEASURABLE_MS);
});

/** Finds the schemas' regular expressions. They are strings, so the linter does not see them. */
function collectPatterns(schema: unknown, found = new Set<string>()): Set<string> {
  for (const [key, value] of Object.entries(schema ?? {})) {
    if (key === 'pattern' && typeof value === 'string') found.add(value);
    else if (typeof value === 'object') collectPatterns(value, found);
  }
  return found;
}

function measureShortestRunMs(work: () => void): number {
  const durationsMs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...durationsMs);
}

test("every schema's regular expression runs in linear time", async () => {
  const patterns = collectPatterns(await (await fetch(`${shop.origin}/openapi.json`)).json());
  expect(patterns.size).toBeGreaterThan(1);
  for (const pattern of patterns)
    for (const part of ['a', ' ', 'a ', '\n', '/', '\u0001'])
      for (const end of ['', 'a', ' ', '\0']) {
        const text = repeatTo(part, BODY_LENGTH) + end;
        const expression = new RegExp(pattern, 'u');
        expect([pattern, part, end, measureShortestRunMs(() => expression.test(text)) < MEASURABLE_MS]).toContain(true);
      }
});

test('an email with 60,000 combining marks is refused within half a second', () => {
  const marks = '\u0301'.repeat(30_000) + '\u0316'.repeat(30_000);
  expect(normalizeEmail(`a${marks}@ex.com`)).toBeUndefined();
  expect(measureShortestRunMs(() => normalizeEmail(`a${marks}@ex.com`))).toBeLessThan(500);
});
