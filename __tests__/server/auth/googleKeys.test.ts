import { createGoogleKeyFinder } from '../../../server/auth/googleKeys';
import { type Google, createSigningKey, startGoogle } from '../../support/googleTokens';

const PROVIDER_DOWN = { status: 503, code: 'identity_provider_unavailable' };
const SECOND = 1000;
const HOUR = 3600 * SECOND;
let google: Google;
let clock: number;

beforeEach(async () => {
  google = await startGoogle();
  clock = Date.parse('2026-01-01T00:00:00Z');
});
afterEach(() => google.stop());

const openKeyFinder = () => createGoogleKeyFinder({ url: google.endpoints.keys, now: () => new Date(clock) });

test("Google's signing keys are cached as long as the response headers allow", async () => {
  const findKey = openKeyFinder();
  await Promise.all([findKey('key-1'), findKey('key-1'), findKey('key-1')]);
  clock += HOUR - SECOND;
  expect(await findKey('key-1')).toMatchObject({ kid: 'key-1', kty: 'RSA' });
  expect(google.state.keyRequests).toBe(1);
  clock += SECOND;
  await findKey('key-1');
  expect(google.state.keyRequests).toBe(2);
});

test("an unknown key id causes Google's signing keys to be fetched again, which also removes withdrawn keys", async () => {
  const findKey = openKeyFinder();
  await findKey('key-1');
  google.state.keys = [await createSigningKey('key-2')];
  clock += 30 * SECOND - 1;
  expect(await findKey('key-2')).toBeUndefined();
  clock += 1;
  expect(await findKey('key-2')).toMatchObject({ kid: 'key-2' });
  expect(await findKey('key-1')).toBeUndefined();
});

test('unknown key ids cause at most one request to Google every thirty seconds', async () => {
  const findKey = openKeyFinder();
  await findKey('key-1');
  const foundKeys = new Set<unknown>();
  for (let i = 0; i < 10_000; i += 1) {
    clock += 6;
    foundKeys.add(await findKey(`unknown-${i}`));
  }
  expect(foundKeys).toEqual(new Set([undefined]));
  expect(google.state.keyRequests).toBeLessThanOrEqual(1 + Math.ceil((10_000 * 6) / (30 * SECOND)));
});

test.each(['error', 'empty', 'nonsense'] as const)(
  'cached signing keys are used for another day after they expire if new keys cannot be fetched (%s)',
  async (fault) => {
    const findKey = openKeyFinder();
    await findKey('key-1');
    google.state.fault = fault;
    clock += HOUR + 24 * HOUR - 1;
    expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
    clock += 1;
    await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
    google.state.fault = '';
    clock += 2 * SECOND;
    expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
  },
);

test("looking up a signing key fails until Google's keys can be fetched", async () => {
  google.state.fault = 'error';
  const findKey = openKeyFinder();
  await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
  google.state.fault = '';
  clock += 2 * SECOND - 1;
  await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
  expect(google.state.keyRequests).toBe(1);
  clock += 1;
  expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
  expect(await findKey('key-2')).toBeUndefined();
});

test('during an outage, looking up an unknown key id fails, because the key could be new', async () => {
  const findKey = openKeyFinder();
  await findKey('key-1');
  google.state.fault = 'error';
  clock += 31 * SECOND;
  await expect(findKey('key-2')).rejects.toMatchObject(PROVIDER_DOWN);
  expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
});

test('after the clock was set back by an hour, an unknown key id still causes a fetch', async () => {
  const findKey = openKeyFinder();
  await findKey('key-1');
  google.state.keys = [await createSigningKey('key-2')];
  clock -= HOUR;
  expect(await findKey('key-2')).toMatchObject({ kid: 'key-2' });
});

test('a fetch of signing keys from Google times out after five seconds', async () => {
  google.state.fault = 'silence';
  const { timeout } = AbortSignal;
  const timeoutSpy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
  await expect(openKeyFinder()('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
  expect(timeoutSpy.mock.calls).toEqual([[5000]]);
  timeoutSpy.mockRestore();
});
