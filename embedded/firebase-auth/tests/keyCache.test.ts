import { createKeyCache } from '../keyCache';

const KID = 'a'.repeat(40);
const OTHER_KID = 'b'.repeat(40);

let clock = 0;
beforeAll(() => void jest.spyOn(performance, 'now').mockImplementation(() => clock));
afterAll(() => jest.restoreAllMocks());

/** Opens a cache of keys that counts how often it reads them. Its waits advance the clock. */
function openCache(...kids: string[]) {
  const published = new Set(kids);
  const state = { reads: 0, waits: [] as number[] };
  const readKeys = async () => {
    state.reads += 1;
    return { keys: [...published].map((kid) => ({ kid, kty: 'RSA' })) };
  };
  const findKey = createKeyCache(readKeys, async (ms) => {
    state.waits.push(ms);
    clock += ms;
  });
  return { findKey, published, state };
}

test('a published key is read once, immediately, and then found in memory', async () => {
  const { findKey, state } = openCache(KID);
  for (let n = 0; n < 3; n += 1) expect(await findKey(KID)).toEqual({ kid: KID, kty: 'RSA' });
  expect(state).toEqual({ reads: 1, waits: [0] });
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
  clock += 50;
  published.add(OTHER_KID);
  const found = await Promise.all([findKey(OTHER_KID), findKey(OTHER_KID), findKey('c'.repeat(40))]);
  expect(found).toEqual([{ kid: OTHER_KID, kty: 'RSA' }, { kid: OTHER_KID, kty: 'RSA' }, undefined]);
  expect(state).toEqual({ reads: 2, waits: [0, 150] });
});

test('the keys are read again when they are older than a minute, so that a withdrawn key is not found', async () => {
  const { findKey, published, state } = openCache(KID);
  await findKey(KID);
  published.delete(KID);
  clock += 60_000;
  expect(await findKey(KID)).toBeDefined();
  clock += 1;
  expect(await findKey(KID)).toBeUndefined();
  expect(state.reads).toBe(2);
});
