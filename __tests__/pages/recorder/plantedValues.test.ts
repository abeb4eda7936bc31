import { gunzipSync } from 'node:zlib';
import { apiSlice } from '../../../src/api/apiSlice';
import { createStore } from '../../../src/app/store';
import { recordActions, recordError, takeEntries } from '../../../src/recorder/buffer';
import { createRecorder } from '../../../src/recorder/recorder';
import { buildSessionFile } from '../../../src/recorder/buildSessionFile';
import { signedIn } from '../../../src/session/authSlice';

const { endpoints, util } = apiSlice;
const SETTINGS = { google: false, payments: { kind: 'sandbox' }, demo: false } as const;
const STREETS = ['Zürich', 'Ørsted', 'Nguyễn', 'Straße', 'Łódź'];
/**
 * Writes a number as six letters that do not form a word. `q` is not one of them: `findLeaks` also decodes base64, and
 * the placeholder of a scrubbed text, which is a run of `x`, decodes to text with `q`.
 */
const toLetters = (n: number) => [...String(n).padStart(6, '0')].map((digit) => 'gwpzvkhybf'[Number(digit)]).join('');

/** Secrets of each kind that the shop or its customers have. The number makes each one unique. */
const SECRETS: ((n: number) => string)[] = [
  (n) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ${toLetters(n)}cnR5In0.c2ln${toLetters(n)}YXR1cmU`,
  (n) => `pi_${toLetters(n)}Kq8_secret_${toLetters(n)}Ww3`,
  (n) => `Pass-${toLetters(n)}word!`,
  (n) => `4242 4242 ${4000 + n} ${7000 + n}`,
  (n) => `AMf-${toLetters(n)}refreshtoken`,
];
/** Names, addresses and texts of customers. The number makes each one unique. */
const PERSONAL: ((n: number) => string)[] = [
  (n) => `Xq${toLetters(n)} Vz${toLetters(n)}son`,
  (n) => `Mail.${toLetters(n)}@Private.Example`,
  (n) => `${100 + n} ${STREETS[n % 5]}${toLetters(n)} Quay, Rockford`,
  (n) => `+1 (312) ${100 + n}-7${String(n).padStart(3, '0')}`,
  (n) => `Leave it behind ${toLetters(n)}shed, and ring ${toLetters(n)}bell`,
];
const plant = (kinds: ((n: number) => string)[], count: number) =>
  Array.from({ length: count }, (_, n) => kinds[n % kinds.length]!(n));
const secrets = plant(SECRETS, 100);
const personal = plant(PERSONAL, 500);

/** Few enough that the recorder drops no step. */
const VALUES_PER_FILE = 100;
const countSteps = (report: string) =>
  (JSON.parse((JSON.parse(report) as { payload: string }).payload) as unknown[]).length;

/**
 * Records the values in every way in which data reach a file: responses, arguments, cache keys, errors, the paths,
 * queries and fragments of URLs, and the signed-in user.
 */
async function recordAll(values: string[]): Promise<string> {
  const recorder = createRecorder(Object.keys(endpoints));
  takeEntries(Infinity);
  const store = createStore({ renew: () => Promise.resolve(false) }, recordActions);
  const { fetch } = globalThis;
  const createRefusingFetch = (text: string) => () =>
    Promise.resolve(Response.json({ code: 'invalid', detail: text, status: 400, field: text }, { status: 400 }));
  for (let index = 0; index < values.length; index += 5) {
    const [client = '', email = '', address = '', phone = '', note = ''] = values.slice(index, index + 5);
    const order = {
      _id: note,
      client,
      email,
      address,
      phone,
      productName: note,
      [email]: phone,
      client_secret: client,
    };
    globalThis.fetch = createRefusingFetch(note);
    store.dispatch(signedIn({ email, displayName: client, hasPassword: true }));
    store.dispatch(util.upsertQueryEntries([{ endpointName: 'listMyOrders', arg: email, value: [order as never] }]));
    await store.dispatch(
      endpoints.saveProfile.initiate({ email, address, phone, linkedIn: `https://${note}` } as never),
    );
    await store.dispatch(endpoints.getOrder.initiate(phone));
    await store.dispatch(endpoints.addReview.initiate({ name: client, description: note, ratings: 5, img: email }));
    recordError(
      Object.assign(new Error(`Cannot read ${address}`), { stack: `${note} at /assets/main.1.js:1:2`, name: phone }),
    );
    const [path, value] = [encodeURIComponent(address), encodeURIComponent(note)];
    window.history.pushState(null, '', `/purchase/${path}?q=${value}&${value}=1#${encodeURIComponent(client)}`);
    await store.dispatch(endpoints.getTool.initiate(address));
  }
  globalThis.fetch = fetch;
  const report = await buildSessionFile(recorder, '', SETTINGS);
  store.dispatch(util.resetApiState());
  return report;
}

/** @returns the report, its unescaped JSON strings and percent codes, and the decoded base64 and gzip data in it */
function withDecodings(report: string): string {
  const { payload, preloadedState } = JSON.parse(report) as { payload: string; preloadedState: string };
  const plain = [report, payload, preloadedState].join('\n');
  const percent = plain.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  const packed = [...plain.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([run]) => Buffer.from(run, 'base64'));
  const unzipped = packed.filter((bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b).map((bytes) => gunzipSync(bytes));
  return [plain, percent, ...packed, ...unzipped].join('\n');
}

const normalize = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
const base64 = (text: string) => [0, 1, 2].map((skip) => Buffer.from(text.slice(skip)).toString('base64').slice(0, -4));
/** @returns the value as plain text, percent-encoded, and as base64 at each of the three possible offsets */
const formsOf = (value: string) => [value, encodeURIComponent(value), ...base64(value)];
const wordsOf = (value: string) =>
  value
    .split(/[^\p{L}\p{N}]+/u)
    .map(normalize)
    .filter((word) => word.length >= 8 || /[gwpzvkhybf]{4}/.test(word));

const COMMON_WORDS = new Set([
  'rockford',
  'private',
  'example',
  'mail',
  'quay',
  'word',
  'eyjhbgcioijiuzi1nij9',
  'secret',
]);
function findLeaks(report: string, values: string[]): string[] {
  const texts = withDecodings(report);
  const normalized = normalize(texts);
  return values.flatMap((value) => [
    ...formsOf(value).filter((form) => texts.includes(form)),
    ...[normalize(value), ...wordsOf(value)].filter((form) => !COMMON_WORDS.has(form) && normalized.includes(form)),
  ]);
}

test('a saved session contains none of 100 secrets and 500 personal values, not even percent-encoded, in base64 or in gzip', async () => {
  expect(new Set([...secrets, ...personal]).size).toBe(600);
  const planted = [...secrets, ...personal];
  const reports: string[] = [];
  for (let from = 0; from < planted.length; from += VALUES_PER_FILE)
    reports.push(await recordAll(planted.slice(from, from + VALUES_PER_FILE)));
  expect(reports.map(countSteps).filter((steps) => steps < VALUES_PER_FILE)).toEqual([]);
  expect(reports.flatMap((report) => findLeaks(report, planted))).toEqual([]);
});

test.each([
  ['itself', (value: string) => value],
  ['encoded for a URL', encodeURIComponent],
  ['in base64', (value: string) => Buffer.from(`{"a":"${value}"}`).toString('base64')],
  ['in capitals without spaces', (value: string) => value.toUpperCase().replaceAll(' ', '')],
])('control: a value that is in the file %s is found', (_form, encode) => {
  const report = JSON.stringify({ payload: encode(personal[0]!), preloadedState: '{}' });
  expect(findLeaks(report, personal)).not.toEqual([]);
});
