import { apiSlice } from '../../../src/api/apiSlice';
import { createStore, type AppStore } from '../../../src/app/store';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { takePendingToasts } from '../../../src/feedback/notify';
import { signedIn, signedOut } from '../../../src/session/authSlice';
import { replaceFetch } from '../../support/pageCalls';

const { removeReview, addReview, listTools } = apiSlice.endpoints;
const PERSON = { displayName: 'Ann Lee', email: 'ann@mail.example', emailVerified: true, hasPassword: true };
const review = { description: 'a', ratings: 5, img: '/a.svg' };

const remove = ({ dispatch }: AppStore) => dispatch(removeReview.initiate('review-1'));
const add = ({ dispatch }: AppStore) => dispatch(addReview.initiate(review));
const read = ({ dispatch }: AppStore) => dispatch(listTools.initiate());
const signOutAndRemove = (store: AppStore) => {
  store.dispatch(signedOut(undefined));
  return remove(store);
};

test.each<[string, (store: AppStore) => unknown, number, string[]]>([
  ['a failed write', remove, 400, [APP_MESSAGES.unexpected]],
  ['a write that succeeds', remove, 200, []],
  ['a failed write whose form shows the failure', add, 400, []],
  ['a failed read', read, 400, []],
  ['a write that fails because the session has ended', signOutAndRemove, 401, []],
])('%s shows exactly the toasts it should', async (_call, send, status, texts) => {
  replaceFetch(() => () => Promise.resolve(new Response('{}', { status })));
  const store = createStore({ renew: () => Promise.resolve(false) });
  store.dispatch(signedIn(PERSON));
  takePendingToasts();
  await send(store);
  expect(takePendingToasts()).toEqual(texts.map((text) => ({ kind: 'error', text, replacesAll: undefined })));
});
