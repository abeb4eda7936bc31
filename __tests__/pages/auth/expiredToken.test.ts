import { apiSlice } from '../../../src/api/apiSlice';
import { transientTokens } from '../../../src/api/tokens';
import { createStore } from '../../../src/app/store';
import { replaceFetch } from '../../support/pageCalls';

const { addReview, listTools, signInUser } = apiSlice.endpoints;
const REVIEW = { description: 'a', ratings: 5, img: '/a.svg' };
const storeToken = (token: string) => localStorage.setItem('accessToken', token);

/**
 * The shop accepts only requests with the token `new`.
 * @returns the headers of each request
 */
function answerCalls(beforeResponse = () => {}): Headers[] {
  const sent: Headers[] = [];
  replaceFetch(() => (input) => {
    const { headers } = input as Request;
    sent.push(headers);
    beforeResponse();
    const status = headers.get('authorization') === 'Bearer new' ? 200 : 401;
    return Promise.resolve(new Response('{}', { status, headers: { 'content-type': 'application/json' } }));
  });
  return sent;
}
const tokensOf = (sent: Headers[]) => sent.map((headers) => headers.get('authorization'));

const renew = jest.fn<Promise<boolean>, []>();
let store: ReturnType<typeof createStore>;
const write = () => store.dispatch(addReview.initiate(REVIEW));
const read = () => store.dispatch(listTools.initiate(undefined, { forceRefetch: true }));
/** The new token arrives only after all requests that were sent together have been refused. */
const renewTo = (token: string) => async () => {
  await new Promise((resolve) => setTimeout(resolve));
  storeToken(token);
  return true;
};

beforeEach(() => {
  localStorage.clear();
  renew.mockReset();
  store = createStore({ renew });
});

test('a request that is refused because its token has expired is sent again with a new token', async () => {
  const sent = answerCalls();
  renew.mockImplementation(renewTo('new'));
  storeToken('old');
  expect(await write()).toEqual({ data: {} });
  expect([tokensOf(sent), renew.mock.calls.length]).toEqual([['Bearer old', 'Bearer new'], 1]);
});

test('requests that are refused at the same time share one renewal, and the next expiry has its own', async () => {
  const sent = answerCalls();
  renew.mockImplementation(renewTo('new'));
  for (const renewals of [1, 2]) {
    sent.length = 0;
    storeToken('old');
    await Promise.all([write(), read(), write()]);
    expect(tokensOf(sent)).toEqual([...Array<string>(3).fill('Bearer old'), ...Array<string>(3).fill('Bearer new')]);
    expect(renew).toHaveBeenCalledTimes(renewals);
  }
});

test('if another tab has renewed the token in the meantime, a refused request is sent again with that token', async () => {
  const sent = answerCalls(() => storeToken('new'));
  storeToken('old');
  expect(await write()).toEqual({ data: {} });
  expect([tokensOf(sent), renew.mock.calls]).toEqual([['Bearer old', 'Bearer new'], []]);
});

test.each<[string, () => Promise<boolean>]>([
  ['the session has ended', () => Promise.resolve(false)],
  ['the user signs out during the renewal', () => (localStorage.clear(), Promise.resolve(true))],
])('a refused request is not sent again if %s', async (_reason, renewal) => {
  const sent = answerCalls();
  renew.mockImplementation(renewal);
  storeToken('old');
  expect(await write()).toMatchObject({ error: { status: 401 } });
  expect([tokensOf(sent), renew.mock.calls.length]).toEqual([['Bearer old'], 1]);
});

test('if the token cannot be renewed now, the request fails with the error of the renewal', async () => {
  const sent = answerCalls();
  const offline = { status: 'FETCH_ERROR', error: 'offline' };
  // The session rejects with an error of RTK Query, which is a plain object.
  renew.mockRejectedValue(offline);
  storeToken('old');
  expect(await write()).toEqual({ error: offline });
  expect(sent).toHaveLength(1);
});

test('a visitor without a token sends none, and a refused request of a visitor renews nothing', async () => {
  const sent = answerCalls();
  expect(await write()).toMatchObject({ error: { status: 401 } });
  expect([tokensOf(sent), renew.mock.calls]).toEqual([[null], []]);
});

test('the exchange of an ID token sends that token, and renews nothing if it is refused', async () => {
  const sent = answerCalls();
  storeToken('old');
  transientTokens.idToken = 'an ID token';
  expect(await store.dispatch(signInUser.initiate('ann@mail.example'))).toMatchObject({ error: { status: 401 } });
  expect([tokensOf(sent), renew.mock.calls]).toEqual([['Bearer an ID token'], []]);
});

test('all requests of a page have the same trace id and span ids of their own, and ask for JSON', async () => {
  const sent = answerCalls();
  for (let n = 0; n < 20; n++) await write();
  const parts = sent.map((headers) => headers.get('traceparent')!.split('-'));
  const [, trace] = parts[0]!;
  expect(trace).toMatch(/^[0-9a-f]{32}$/);
  for (const part of parts) expect(part).toEqual(['00', trace, expect.stringMatching(/^[0-9a-f]{16}$/), '01']);
  expect(new Set(parts.map(([, , span]) => span)).size).toBe(20);
  expect(new Set(sent.map((headers) => headers.get('accept')))).toEqual(new Set(['application/json']));
});
