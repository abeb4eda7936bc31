import { apiSlice } from '../api/apiSlice';
import { accessToken, clientSecrets } from '../api/tokens';
import { WORDS } from '../contract/messages';
import { failureOf } from '../contract/problem';
import { signedIn, signedOut } from './authSlice';
import { IdentityError, type Identity, type Person } from './identity';
import { draftsAreOf } from '../forms/drafts';
import { tellings } from '../app/listeners';
import { notify } from '../feedback/notify';
import type { AppStore } from '../app/store';
import { loadToastBox } from '../feedback/loadToastContainer';

/** Answers of the shop after which there is nothing to renew. */
const FINAL = [401, 403, 404, 409];

export const isOver = (error: unknown) =>
  error instanceof IdentityError ? error.ended : FINAL.some((status) => status === failureOf(error).status);

/** The words for a network that is gone must be here before it goes. */
const fetchWords = () => void Promise.all([tellings(), loadToastBox()]).catch(() => undefined);

/** As the router names its entries. */
const historyKey = () => (window.history.state as { key?: string } | null)?.key ?? 'default';

export type Door = ReturnType<typeof makeDoor>;

/** Who comes in and who goes: the store, the shop's token and what one may keep. */
export function makeDoor(identity: () => Promise<Identity>) {
  let store: AppStore;
  let proof = '';
  let leaves = 0;

  function leave(at?: string) {
    leaves += 1;
    accessToken.forget();
    clientSecrets.clear();
    const wasHere = store.getState().auth.status === 'signedIn';
    store.dispatch(signedOut(at));
    // What the last person saw is not for the next; before anybody was here it is everybody's.
    if (wasHere) store.dispatch(apiSlice.util.resetApiState());
  }

  return {
    leave: () => leave(historyKey()),
    /** On the server, too. Nobody waits for it: without a network, this browser is signed out all the same. */
    signOut() {
      accessToken.left = accessToken.read();
      leave(historyKey());
      if (accessToken.left) void store.dispatch(apiSlice.endpoints.endSession.initiate(undefined, { track: false }));
    },
    open: (given: AppStore) => void (store = given),
    auth: () => store.getState().auth,
    proof: () => proof,
    /** PUT /user/{email}: who one is at the provider becomes a token of the shop. */
    async prove(email: string) {
      const left = leaves;
      proof = await (await identity()).idToken();
      await store.dispatch(apiSlice.endpoints.signUser.initiate(email, { track: false })).unwrap();
      if (left === leaves) return;
      accessToken.forget();
      throw new IdentityError(WORDS.sessionEnded, true);
    },
    admit(person: Person) {
      draftsAreOf(person.email);
      fetchWords();
      store.dispatch(signedIn(person));
    },
    /** Nobody came in; whoever has a session keeps it. */
    settle() {
      if (store.getState().auth.status === 'resolving') store.dispatch(signedOut(undefined));
    },
    leaveWithNotice() {
      const believed = store.getState().auth.status === 'signedIn' || accessToken.read() !== null;
      leave();
      if (believed) notify.bad(WORDS.sessionEnded);
    },
  };
}
