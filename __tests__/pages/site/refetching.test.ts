import { apiSlice } from '../../../src/api/apiSlice';
import { replaceFetch } from '../../support/pageCalls';
import { EMAIL, answerCalls, newStore, READS, settle, WRITES, type Write } from './answeredCalls';

const { checkAdmin, signInUser } = apiSlice.endpoints;

const TOOL_LISTS = ['tools for sale', 'all tools'];
const TOOL_DATA = [...TOOL_LISTS, 'the tool'];
const ORDER_LISTS = ['own orders', 'all orders', 'order count', 'order pages', 'status counts'];
const ORDER_DATA = [...ORDER_LISTS, 'the order'];
const ORDER_AND_TOOL = [...ORDER_DATA, ...TOOL_DATA];

/** The data that is stale after each write, unless the server has refused it because of the request itself. */
const STALE: Record<Write, string[]> = {
  'adding a tool': TOOL_LISTS,
  'editing a tool': TOOL_DATA,
  'uploading a picture': [],
  'downloading the tools': [],
  'downloading the orders': [],
  'previewing an import of tools': [],
  'importing tools': TOOL_DATA,
  'adding a review': ['reviews'],
  'removing a review': ['reviews'],
  'placing an order': [...ORDER_LISTS, ...TOOL_DATA],
  'deleting an order': ORDER_AND_TOOL,
  'shipping an order': ORDER_DATA,
  'correcting a shipment': ORDER_DATA,
  'offering a price': ORDER_AND_TOOL,
  'refunding an order': ORDER_AND_TOOL,
  'recording a payment': ORDER_AND_TOOL,
  'starting a payment': ORDER_AND_TOOL,
  'making an admin': ['users', 'admin check'],
  'undoing a promotion': ['users', 'admin check'],
  'saving a profile': ['profile'],
};

type Outcome = [write: Write, status: number | 'lost', stale: string[]];

function outcomesOf(write: Write, stale: string[]): Outcome[] {
  // Only a successful response names the tool of a payment, or the imported tools.
  const staleAfterFailure = ['recording a payment', 'importing tools'].includes(write)
    ? [...stale, 'another tool']
    : stale;
  return [
    [write, 200, stale],
    ...[400, 401, 403, 422, 429].map((status): Outcome => [write, status, []]),
    ...([404, 409, 503, 'lost'] as const).map((status): Outcome => [write, status, staleAfterFailure]),
  ];
}

test.each((Object.entries(STALE) as [Write, string[]][]).flatMap(([write, stale]) => outcomesOf(write, stale)))(
  'after %s with the response %s, exactly the stale data is loaded again',
  async (write, status, stale) => {
    const store = newStore();
    const requests = answerCalls(status);
    for (const [, read] of Object.values(READS)) void read(store);
    await settle(store);
    const requestsOfReads = Object.values(READS).map(([request]) => request);
    expect(requests.splice(0).sort()).toEqual(requestsOfReads.sort());

    await WRITES[write](store);
    await settle(store);
    expect(requests.slice(1).sort()).toEqual(stale.map((name) => READS[name]![0]).sort());
  },
);

test.each([
  ['admin', 2],
  ['member', 1],
])('a member whose new access token says %s has been checked %i times', async (role, checks) => {
  const store = newStore();
  let checked = 0;
  replaceFetch(() => (input) => {
    const isCheck = (input as Request).method === 'GET';
    if (isCheck) checked += 1;
    const body = isCheck ? { admin: false } : { _id: 'u', email: EMAIL, role, token: 't' };
    return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }));
  });
  await store.dispatch(checkAdmin.initiate(EMAIL));
  await store.dispatch(signInUser.initiate(EMAIL));
  await settle(store);
  expect(checked).toBe(checks);
});
