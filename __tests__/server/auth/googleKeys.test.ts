import { googleKeys } from '../../../server/auth/googleKeys';
import { IdentityProviderDown } from '../../../server/auth/identityProvider';
import { type Google, makeKey, startGoogle } from '../../support/googleTokens';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
let google: Google;
let clock: number;

beforeEach(async () => {
  google = await startGoogle();
  clock = Date.parse('2026-01-01T00:00:00Z');
});
afterEach(() => google.stop());

const open = () => googleKeys({ url: google.at.keys, now: () => new Date(clock) });

test('keys are kept as long as their headers say', async () => {
  const find = open();
  await Promise.all([find('key-1'), find('key-1'), find('key-1')]);
  clock += HOUR - SECOND;
  expect(await find('key-1')).toMatchObject({ kid: 'key-1', kty: 'RSA' });
  expect(google.state.keyRequests).toBe(1);
  clock += SECOND;
  await find('key-1');
  expect(google.state.keyRequests).toBe(2);
});

test('a key that is new is found at once, and one that is withdrawn is no longer believed', async () => {
  const find = open();
  await find('key-1');
  google.state.keys = [await makeKey('key-2')];
  clock += 31 * SECOND;
  expect(await find('key-2')).toMatchObject({ kid: 'key-2' });
  expect(await find('key-1')).toBeUndefined();
});

test('ten thousand unknown names ask Google once in thirty seconds', async () => {
  const find = open();
  await find('key-1');
  const found = new Set<unknown>();
  for (let i = 0; i < 10_000; i += 1) {
    clock += 6;
    found.add(await find(`unknown-${i}`));
  }
  expect(found).toEqual(new Set([undefined]));
  expect(google.state.keyRequests).toBeLessThanOrEqual(1 + Math.ceil((10_000 * 6) / (30 * SECOND)));
});

test.each(['error', 'empty', 'nonsense'] as const)(
  'keys that cannot be had (%s): the old ones, for a day',
  async (fault) => {
    const find = open();
    await find('key-1');
    google.state.fault = fault;
    clock += HOUR + 23 * HOUR;
    expect(await find('key-1')).toMatchObject({ kid: 'key-1' });
    clock += HOUR + SECOND;
    await expect(find('key-1')).rejects.toThrow(IdentityProviderDown);
    google.state.fault = '';
    clock += 3 * SECOND;
    expect(await find('key-1')).toMatchObject({ kid: 'key-1' });
  },
);

test('an outage at the start is neither yes nor no, and passes', async () => {
  google.state.fault = 'error';
  const find = open();
  await expect(find('key-1')).rejects.toThrow(IdentityProviderDown);
  google.state.fault = '';
  clock += 3 * SECOND;
  expect(await find('key-1')).toMatchObject({ kid: 'key-1' });
});

test('an unknown name during an outage could be a new key: neither yes nor no', async () => {
  const find = open();
  await find('key-1');
  google.state.fault = 'error';
  clock += 31 * SECOND;
  await expect(find('key-2')).rejects.toThrow(IdentityProviderDown);
  expect(await find('key-1')).toMatchObject({ kid: 'key-1' });
});

test('Google that does not answer holds nobody up for more than five seconds', async () => {
  google.state.fault = 'silence';
  const { timeout } = AbortSignal;
  const asked = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
  const began = performance.now();
  await expect(open()('key-1')).rejects.toThrow(IdentityProviderDown);
  expect(performance.now() - began).toBeLessThan(4000);
  expect(asked.mock.calls).toEqual([[5000]]);
  asked.mockRestore();
});
