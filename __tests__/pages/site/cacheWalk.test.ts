import { apiSlice } from '../../../src/api/apiSlice';
import { giveUpResends, watchResends } from '../../../src/api/resends';
import { accessToken } from '../../../src/api/tokens';
import { createStore, type AppStore } from '../../../src/app/store';
import type { Order, Tool } from '../../../src/contract/entities';
import type { CreateRandom } from '../../../tools/simulate/random';
import { exchangeIdToken, newAccount, newEmail } from '../../support/customers';
import { query } from '../../support/database';
import { newTool } from '../../support/tools';
import { createSlowNetwork } from './slowNetwork';
import { orderWrites, pay, readsOf, writesOf, type Person, type Write } from './walkActions';

/**
 * Two customers and an admin use the shop over a slow network that loses responses. Whenever the network is quiet, the
 * cache of whoever has acted equals what the server answers now.
 */
const SEEDS = Number(process.env['CACHE_WALKS'] ?? 3);
const FIRST_SEED = SEEDS > 3 ? Math.floor(Date.now() / 1000) : 1;
const TURNS = 12;

const { endpoints, internalActions, util } = apiSlice;
const originalFetch = globalThis.fetch;
const { createRandom } = jest.requireActual<{ createRandom: CreateRandom }>('../../../tools/lib/seededRandom.mjs');

async function newPerson(isAdmin = false): Promise<Person> {
  const email = newEmail();
  const token = await exchangeIdToken(email, await newAccount(email));
  if (isAdmin) await query(`update users set role = 'admin' where email = $1`, [email]);
  return { email, token, isAdmin };
}

/** Opens the shop in a new tab of this person. */
function openTab({ token }: Person): AppStore {
  accessToken.write(token);
  return createStore({ renew: () => Promise.resolve(false) });
}

interface Cached {
  endpointName?: string;
  originalArgs?: unknown;
  status: string;
  data?: unknown;
  error?: { status?: unknown };
}

const answerOf = ({ status, data, error }: Cached) => (status === 'rejected' ? error?.status : data);

/** Compares each cached answer with the answer that a new tab gets. */
async function expectFresh(person: Person, store: AppStore, story: string[]): Promise<void> {
  const fresh = openTab(person);
  const cached = Object.values(store.getState().api.queries) as Cached[];
  await Promise.all(
    cached.map(({ endpointName, originalArgs }) => {
      const { initiate } = endpoints[endpointName as 'getTool'];
      return fresh.dispatch(initiate(originalArgs as string));
    }),
  );
  const now = fresh.getState().api.queries as Record<string, Cached>;
  for (const [key, entry] of Object.entries(store.getState().api.queries as Record<string, Cached>)) {
    expect(entry.status).not.toBe('pending');
    expect([story, key, answerOf(entry)]).toEqual([story, key, answerOf(now[key]!)]);
  }
  fresh.dispatch(util.resetApiState());
}

/** Adds a review, and places an unpaid, a paid and an unpriced order. */
async function placeOrders(customer: Person, { _id: toolId, name: productName }: Tool): Promise<void> {
  const store = openTab(customer);
  const review = { description: 'Text', ratings: 5, img: '/a.svg' };
  await store.dispatch(endpoints.addReview.initiate(review)).unwrap();
  for (const totalQuantity of [20, 21, 5]) {
    const draft = { toolId, productName, address: 'a', phone: '555 0100', totalQuantity };
    const key = `${customer.email}-${totalQuantity}`;
    const order = await store.dispatch(endpoints.placeOrder.initiate({ draft, key })).unwrap();
    if (totalQuantity === 21) await pay(store, order);
  }
}

async function walk(seed: number): Promise<number> {
  const random = createRandom(`cache ${seed}`);
  const tools = [await newTool(), await newTool()];
  const people = [await newPerson(), await newPerson(), await newPerson(true)];
  const admin = people[2]!;
  for (const customer of people.slice(0, 2)) await placeOrders(customer, tools[0]!);
  let writes = 0;

  async function ordersOf(person: Person): Promise<Order[]> {
    const { dispatch } = openTab(person);
    const own = await Promise.all(
      people.slice(0, 2).map(async (customer) => {
        if (person !== admin && person !== customer) return [];
        return (await dispatch(endpoints.listMyOrders.initiate(customer.email))).data ?? [];
      }),
    );
    return own.flat();
  }

  /** Another person changes an order that this person is about to change. */
  async function changeBehind(person: Person, order: Order): Promise<string> {
    const other = person === admin ? people.find(({ email }) => email === order.email)! : admin;
    const [name, write] = random.pick(Object.entries(orderWrites(other, order)));
    await write(openTab(other));
    return `${other.isAdmin ? 'admin' : 'customer'}: ${name}`;
  }

  for (let turn = 0; turn < TURNS; turn += 1) {
    const person = random.pick([...people, admin]);
    const orders = await ordersOf(person);
    const world = { random, tools, orders };
    const store = openTab(person);
    const reads = readsOf(person, tools, orders.slice(0, 4));
    const subscriptions = reads.map((read) => read(store));
    await Promise.all(store.dispatch(util.getRunningQueriesThunk()));
    for (const subscription of subscriptions) if (random.chance(0.3)) subscription.unsubscribe();

    const story = [`seed ${seed}, turn ${turn}, ${person.isAdmin ? 'admin' : 'customer'}`];
    const shared = random.chance(0.5) ? orders[0] : undefined;
    const burst: [string, Write][] = [];
    if (shared) {
      story.push(await changeBehind(person, shared));
      accessToken.write(person.token);
      const { shipOrder: _ship, correctShipment: _correct, ...changingOrderAndTool } = orderWrites(person, shared);
      burst.push(random.pick(Object.entries(changingOrderAndTool)));
    }
    for (let n = random.integer(1, 3); n > 0; n -= 1) burst.push(random.pick(Object.entries(writesOf(person, world))));

    const { slowFetch, drain } = createSlowNetwork(random);
    globalThis.fetch = slowFetch;
    const running = burst.map(async ([name, write]) => {
      story.push(name);
      if (random.chance(0.5)) void random.pick(reads)(store);
      if (random.chance(0.2)) store.dispatch(internalActions.onFocus());
      await write(store);
      writes += 1;
    });
    let isDone = false;
    void Promise.all(running).then(() => (isDone = true));
    do await drain();
    while (!isDone);
    await drain();
    globalThis.fetch = originalFetch;
    await expectFresh(person, store, story);
    store.dispatch(util.resetApiState());
  }
  return writes;
}

/** A person who gives up at once, so that the network becomes quiet. */
watchResends(giveUpResends);

afterEach(() => void (globalThis.fetch = originalFetch));

test.each(Array.from({ length: SEEDS }, (_, n) => FIRST_SEED + n))(
  'seed %i: whenever the network is quiet, every cached answer equals a new one',
  async (seed) => {
    expect(await walk(seed)).toBeGreaterThan(TURNS / 2);
  },
);
