import { apiSlice } from '../../../src/api/apiSlice';
import { accessToken } from '../../../src/api/tokens';
import { fillCache } from '../../../src/app/initialData';
import { createStore, type AppStore } from '../../../src/app/store';
import type { SessionFile } from '../../../src/recorder/sessionFile';
import { recordActions, recordError, takeEntries } from '../../../src/recorder/buffer';
import { createRecorder } from '../../../src/recorder/recorder';
import { buildSessionFile } from '../../../src/recorder/buildSessionFile';
import { signedIn, signedOut } from '../../../src/session/authSlice';
import { exchangeIdToken, newAccount, newEmail } from '../../support/customers';
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
  newText: () => string;
}

const orderDraft = ({ toolId, newText, random }: Visit) => ({
  draft: {
    toolId,
    productName: newText(),
    totalQuantity: 20 + random(700),
    address: newText(),
    phone: `+1 312 ${newText()}`,
  },
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
  async ({ store, newText }) => store.dispatch(endpoints.getOrder.initiate(newText())),
  async ({ store, email, newText }) =>
    store.dispatch(
      endpoints.saveProfile.initiate({
        email,
        address: newText(),
        phone: newText(),
        linkedIn: `https://x.example/${newText()}`,
      }),
    ),
  async ({ store, email }) => store.dispatch(endpoints.getProfile.initiate(email, { forceRefetch: true })),
  async ({ store, newText }) =>
    store.dispatch(
      endpoints.addReview.initiate({ name: newText(), description: newText(), ratings: 5, img: '/a.png' }),
    ),
  async ({ store, email }) => store.dispatch(endpoints.checkAdmin.initiate(email, { forceRefetch: true })),
  async ({ store }) => store.dispatch(endpoints.listUsers.initiate(undefined, { forceRefetch: true })),
  async ({ store, newText }) =>
    store.dispatch(endpoints.createPaymentIntent.initiate({ order: newText(), totalPrice: 7 })),
  async ({ store, email }) => {
    const [order] = endpoints.listMyOrders.select(email)(store.getState()).data ?? [];
    if (order) await store.dispatch(endpoints.deleteOrder.initiate(order));
  },
  async ({ store, newText }) =>
    withoutNetwork(() =>
      Promise.resolve(store.dispatch(endpoints.deleteOrder.initiate({ _id: newText(), email: newText() }))),
    ),
  async ({ newText }) => recordError(new TypeError(`Cannot read ${newText()}`)),
  async ({ store, email, newText, random }) => {
    if (random(2)) window.history.pushState(null, '', `/purchase/${newText()}?q=${newText()}`);
    if (random(4)) return;
    store.dispatch(signedOut(newText()));
    store.dispatch(util.resetApiState());
    store.dispatch(signedIn({ email, displayName: newText(), hasPassword: true }));
  },
];

export async function recordRandomSession(seed: number, actionCount = 40) {
  const recorder = createRecorder(Object.keys(endpoints));
  const random = createRandom(seed);
  let textCount = 0;
  const secrets: string[] = [];
  const addSecret = (secret: string) => (secrets.push(secret), secret);
  const newText = () => addSecret(createPrivateText(seed, ++textCount));
  const email = addSecret(newEmail(`zz${seed}`));
  const token = addSecret(await exchangeIdToken(email, await newAccount(email)));
  accessToken.write(token);
  takeEntries(Infinity);

  const store = createStore({ renew: () => Promise.resolve(false) }, recordActions);
  fillCache(store, { tools: await listTools(), reviews: [] });
  store.dispatch(signedIn({ email, displayName: newText(), hasPassword: true }));
  const visit: Visit = { store, email, toolId: (await sharedTool())._id, random, newText };
  for (let index = 0; index < actionCount; index++) await ACTIONS[random(ACTIONS.length)]!(visit);
  const report = await buildSessionFile(recorder, '', SETTINGS);
  store.dispatch(util.resetApiState());
  takeEntries(Infinity);
  return { report, file: JSON.parse(report) as SessionFile, secrets };
}
