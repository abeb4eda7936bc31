import { createAccountLookup } from '../../../server/auth/accountStatus';

const START = Date.parse('2030-01-01T00:00:00Z');
const SECOND = 1000;

/** Opens a lookup at a provider that answers with `state.respond`. */
function openLookup() {
  const state = {
    now: START,
    requests: [] as Parameters<typeof fetch>[],
    failures: [] as string[],
    respond: (): Response => Response.json({ users: [{}] }),
  };
  const lookUp = createAccountLookup({
    url: 'https://identity.example/lookup?key=k',
    referer: 'https://shop.example/',
    now: () => new Date(state.now),
    onFailure: (reason) => state.failures.push(reason),
    send: async (...request) => {
      state.requests.push(request);
      return state.respond();
    },
  });
  return { state, lookUp: () => lookUp('uid', 'id-token') };
}

const active = (sessionsEndedAt: number | null) => ({
  isActive: true,
  sessionsEndedAt: sessionsEndedAt === null ? null : new Date(sessionsEndedAt),
});
const REFUSED = { isActive: false, sessionsEndedAt: null };

test.each([
  ['an account without times', { users: [{}] }, active(null)],
  ['the time since which sessions are valid', { users: [{ validSince: '1893456000' }] }, active(START)],
  ['the time of the last password', { users: [{ passwordUpdatedAt: START + 5 }] }, active(START + 5)],
  [
    'both, of which the later one counts',
    { users: [{ validSince: '1893456000', passwordUpdatedAt: START - 1 }] },
    active(START),
  ],
  ['TOKEN_EXPIRED', { error: { message: 'TOKEN_EXPIRED' } }, REFUSED],
  ['USER_NOT_FOUND', { error: { message: 'USER_NOT_FOUND' } }, REFUSED],
  ['USER_DISABLED with an explanation', { error: { message: 'USER_DISABLED : by its owner' } }, REFUSED],
  ['INVALID_ID_TOKEN', { error: { message: 'INVALID_ID_TOKEN' } }, REFUSED],
])('an account lookup understands %s', async (_what, body, expected) => {
  const { state, lookUp } = openLookup();
  state.respond = () => Response.json(body);
  expect(await lookUp()).toEqual(expected);
  expect(state.failures).toEqual([]);
});

test('a lookup sends the ID token with the referer of the shop, follows no redirect and waits for two seconds', async () => {
  const timeoutSpy = jest.spyOn(AbortSignal, 'timeout');
  const { state, lookUp } = openLookup();
  await lookUp();
  expect(state.requests).toEqual([
    [
      'https://identity.example/lookup?key=k',
      {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', referer: 'https://shop.example/' },
        body: '{"idToken":"id-token"}',
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ],
  ]);
  expect(timeoutSpy.mock.calls).toEqual([[2000]]);
  timeoutSpy.mockRestore();
});

/** Opens a lookup whose first request fails. */
async function openAfterFailure() {
  const { state, lookUp } = openLookup();
  const { respond } = state;
  state.respond = () => {
    throw new RangeError();
  };
  await lookUp();
  state.respond = respond;
  return { state, lookUp };
}

test('after a failed request, no lookup is sent for thirty seconds', async () => {
  const { state, lookUp } = await openAfterFailure();
  for (const ms of [0, 30 * SECOND - 1]) {
    state.now = START + ms;
    expect(await lookUp()).toBeNull();
  }
  const paused = 'lookups are paused after a failure';
  expect([state.requests.length, state.failures]).toEqual([1, ['RangeError', paused, paused]]);
  state.now = START + 30 * SECOND;
  expect(await lookUp()).toEqual(active(null));
});

test('after the clock was set back, the pause ends', async () => {
  const { state, lookUp } = await openAfterFailure();
  state.now = START - SECOND;
  expect(await lookUp()).toEqual(active(null));
});
