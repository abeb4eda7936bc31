import { apiSlice } from '../../../src/api/apiSlice';
import { accessToken } from '../../../src/api/tokens';
import { fillCache } from '../../../src/app/initialData';
import { makeStore, type AppStore } from '../../../src/app/store';
import type { SessionFile } from '../../../src/recorder/format';
import { recordActions, recordError, takeEntries } from '../../../src/recorder/buffer';
import { createRecorder } from '../../../src/recorder/recorder';
import { createReport } from '../../../src/recorder/saveReport';
import { signedIn, signedOut } from '../../../src/session/authSlice';
import { accessTokenOf, newAccount, newEmail } from '../../support/customers';
import { listTools, sharedTool } from '../../support/tools';

const { endpoints, util } = apiSlice;

/** Generates the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Text that a customer types. No saved session may contain it. */
export const createPrivateText = (seed: number, index: number) => `Zz${seed}private${index}`;

const SETTINGS = { google: false, payments: { kind: 'sandbox' }, demo: false } as const;

interface Visit {
  store: AppStore;
  email: string;
  toolId: string;
  random: (below: number) => number;
  text: () => string;
}

const orderDraft = ({ toolId, text, random }: Visit) => ({
  draft: { toolId, productName: text(), totalQuantity: 20 + random(700), address: text(), phone: `+1 312 ${text()}` },
  key: crypto.randomUUID(),
});

const withoutNetwork = async (work: () => Promise<unknown>) => {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.reject(new TypeError('no network'));
  await work();
  globalThis.fetch = fetch;
};

const ACTIONS: ((visit: Visit) => Promise<unknown>)[] = [
  async ({ store }) => store.dispatch(endpoints.listTools.initiate(undefined, { forceRefetch: true })),
  async ({ store }) => store.dispatch(endpoints.listReviews.initiate()),
  async ({ store, toolId }) => store.dispatch(endpoints.getTool.initiate(toolId)),
  async ({ store, email }) => store.dispatch(endpoints.listMyOrders.initiate(email, { forceRefetch: true })),
  async (visit) => visit.store.dispatch(endpoints.placeOrder.initiate(orderDraft(visit))),
  async ({ store, text }) => store.dispatch(endpoints.getOrder.initiate(text())),
  async ({ store, email, text }) =>
    store.dispatch(
      endpoints.saveProfile.initiate({
        email,
        address: text(),
        phone: text(),
        linkedIn: `https://x.example/${text()}`,
      }),
    ),
  async ({ store, email }) => store.dispatch(endpoints.getProfile.initiate(email, { forceRefetch: true })),
  async ({ store, text }) =>
    store.dispatch(endpoints.addReview.initiate({ name: text(), description: text(), ratings: 5, img: '/a.png' })),
  async ({ store, email }) => store.dispatch(endpoints.checkAdmin.initiate(email, { forceRefetch: true })),
  async ({ store }) => store.dispatch(endpoints.listUsers.initiate(undefined, { forceRefetch: true })),
  async ({ store, text }) => store.dispatch(endpoints.createPaymentIntent.initiate({ order: text(), totalPrice: 7 })),
  async ({ store, email }) => {
    const [order] = endpoints.listMyOrders.select(email)(store.getState()).data ?? [];
    if (order) await store.dispatch(endpoints.deleteOrder.initiate(order));
  },
  async ({ store, text }) =>
    withoutNetwork(() =>
      Promise.resolve(store.dispatch(endpoints.deleteOrder.initiate({ _id: text(), email: text() }))),
    ),
  async ({ text }) => recordError(new TypeError(`Cannot read ${text()}`)),
  async ({ store, email, text, random }) => {
    if (random(2)) window.history.pushState(null, '', `/purchase/${text()}?q=${text()}`);
    if (random(4)) return;
    store.dispatch(signedOut(text()));
    store.dispatch(util.resetApiState());
    store.dispatch(signedIn({ email, displayName: text() }));
  },
];

export async function recordRandomSession(seed: number, length = 40) {
  const recorder = createRecorder(Object.keys(endpoints));
  const random = createRandom(seed);
  let count = 0;
  const secrets: string[] = [];
  const remember = (secret: string) => (secrets.push(secret), secret);
  const text = () => remember(createPrivateText(seed, ++count));
  const email = remember(newEmail(`zz${seed}`));
  const token = remember(await accessTokenOf(email, await newAccount(email)));
  accessToken.write(token);
  takeEntries(Infinity);

  const store = makeStore({ renew: () => Promise.resolve(false) }, recordActions);
  fillCache(store, { tools: await listTools(), reviews: [] });
  store.dispatch(signedIn({ email, displayName: text() }));
  const visit: Visit = { store, email, toolId: (await sharedTool())._id, random, text };
  for (let index = 0; index < length; index++) await ACTIONS[random(ACTIONS.length)]!(visit);
  const report = await createReport(recorder, '', SETTINGS);
  store.dispatch(util.resetApiState());
  takeEntries(Infinity);
  return { report, file: JSON.parse(report) as SessionFile, secrets };
}
