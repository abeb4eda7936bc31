import { createRefusedTokenCounter } from '../../../server/auth/refusedTokens';
import type { ProblemError } from '../../../server/http/problems';

const START = Date.parse('2030-01-01T00:00:00Z');
const NETWORK = '203.0.113.9';
const SECOND = 1000;

/** Opens a counter whose rate limit counts its calls, and refuses after `max` hits until `state.isRefusing` is false. */
function openCounter(max = 2) {
  const state = { now: START, calls: [] as unknown[][], isRefusing: true };
  const count = createRefusedTokenCounter({
    now: () => new Date(state.now),
    limit: async (...call) => {
      state.calls.push(call);
      const ok = !state.isRefusing || state.calls.length <= max;
      return { ok, retryAfterSeconds: ok ? 0 : 60 };
    },
  });
  const countToken = (network = NETWORK) =>
    count(network).then(
      () => 'counted',
      ({ status, detail, extra }: ProblemError) => [status, detail, extra.headers?.['retry-after']],
    );
  return { countToken, state };
}

const refusal = (seconds: number) => [
  429,
  `Too many attempts. Wait ${seconds} seconds and try again.`,
  String(seconds),
];

test('a network may send 100 refused tokens a minute', async () => {
  const { countToken, state } = openCounter();
  expect(await countToken()).toBe('counted');
  expect(state.calls).toEqual([[`put-user:refused:${NETWORK}`, 100, 60]]);
});

test('once a network has reached the limit, its refused tokens cause no more queries until the window ends', async () => {
  const { countToken, state } = openCounter();
  expect([await countToken(), await countToken(), await countToken()]).toEqual(['counted', 'counted', refusal(60)]);
  expect(await countToken()).toEqual(refusal(60));
  state.now += 20.5 * SECOND;
  expect(await countToken()).toEqual(refusal(40));
  state.now += 39 * SECOND;
  expect(await countToken()).toEqual(refusal(1));
  expect(state.calls).toHaveLength(3);

  state.now += SECOND / 2;
  state.isRefusing = false;
  expect(await countToken()).toBe('counted');
  expect(state.calls).toHaveLength(4);
});

test('the limit of one network does not refuse the tokens of another', async () => {
  const { countToken, state } = openCounter(0);
  expect(await countToken()).toEqual(refusal(60));
  state.isRefusing = false;
  expect(await countToken('198.51.100.7')).toBe('counted');
  expect(await countToken()).toEqual(refusal(60));
});
