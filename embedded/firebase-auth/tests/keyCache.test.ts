import { createKeyCache } from '../keyCache';

const KID = 'a'.repeat(40);
const OTHER_KID = 'b'.repeat(40);

/** Opens a cache of keys that counts how often it reads them. */
function openCache(...kids: string[]) {
  const published = new Set(kids);
  const state = { reads: 0 };
  const findKey = createKeyCache(async () => {
    state.reads += 1;
    return { keys: [...published].map((kid) => ({ kid, kty: 'RSA' })) };
  });
  return { findKey, published, state };
}

afterEach(() => jest.restoreAllMocks());

test('a published key is read once and then found in memory', async () => {
  const { findKey, state } = openCache(KID);
  for (let n = 0; n < 3; n += 1) expect(await findKey(KID)).toEqual({ kid: KID, kty: 'RSA' });
  expect(state.reads).toBe(1);
});

test.each(['', 'a', 'a'.repeat(39), `x${KID}`, `${KID}x`, 'g'.repeat(40), 'A'.repeat(40)])(
  'the malformed key id %j causes no read',
  async (kid) => {
    const { findKey, state } = openCache(KID, kid);
    expect(await findKey(kid)).toBeUndefined();
    expect(state.reads).toBe(0);
  },
);

test('an unknown key id causes a new read, at least 200 milliseconds after the last one began', async () => {
  const { findKey, published, state } = openCache(KID);
  await findKey(KID);
  const readAt = performance.now();
  published.add(OTHER_KID);
  const found = await Promise.all([findKey(OTHER_KID), findKey(OTHER_KID), findKey('c'.repeat(40))]);
  expect(found).toEqual([{ kid: OTHER_KID, kty: 'RSA' }, { kid: OTHER_KID, kty: 'RSA' }, undefined]);
  expect(performance.now() - readAt).toBeGreaterThan(150);
  expect(state.reads).toBe(2);
});

test('the first read begins immediately', async () => {
  const { findKey } = openCache(KID);
  const startedAt = performance.now();
  await findKey(KID);
  expect(performance.now() - startedAt).toBeLessThan(150);
});

test('the keys are read again when they are older than a minute, so that a withdrawn key is not found', async () => {
  const { findKey, published, state } = openCache(KID);
  const openedAt = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(openedAt);
  await findKey(KID);
  published.delete(KID);
  clock.mockReturnValue(openedAt + 60_000);
  expect(await findKey(KID)).toBeDefined();
  clock.mockReturnValue(openedAt + 60_001);
  expect(await findKey(KID)).toBeUndefined();
  expect(state.reads).toBe(2);
});
