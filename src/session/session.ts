import type { ApiExtra } from '../api/baseQuery';
import { accessToken } from '../api/tokens';
import { storage } from '../storage';
import { IdentityError, type Identity, type Person } from './identity';
import { isOver, makeDoor } from './sessionTransitions';
import { clearDrafts } from '../forms/drafts';
import { notify } from '../feedback/notify';
import type { SessionActions } from './sessionActions';
import { makeActions } from './sessionCommands';
import type { AppStore } from '../app/store';

export interface Session {
  extra: ApiExtra;
  actions: SessionActions;
  start(store: AppStore): void;
}

const hasTrace = () =>
  accessToken.read() !== null || Object.keys(storage()).some((key) => key.startsWith('firebase:authUser:'));

const asApiError = (error: unknown) =>
  error instanceof IdentityError ? { status: 'FETCH_ERROR', error: error.message } : error;

/** Joins the identity provider, the shop's token and the store: nobody else knows all three. */
export function makeSession(identity: () => Promise<Identity>): Session {
  const door = makeDoor(identity);
  const desk = makeActions(ready, door);
  let watching = false;

  async function ready(): Promise<Identity> {
    const provider = await identity();
    if (!watching) provider.onChange((person) => void changed(person));
    watching = true;
    return provider;
  }

  /** The provider reports: at the start, from another tab, or because it ended the session. */
  async function changed(person: Person | null) {
    if (desk.isBusy()) return;
    const auth = door.auth();
    if (!person) return auth.status === 'signedOut' ? undefined : door.leaveWithNotice();
    if (auth.status === 'signedIn' && auth.email === person.email) return;
    if (auth.status === 'signedIn') door.leave();
    try {
      if (!accessToken.read()) await door.prove(person.email);
      door.admit(person);
    } catch (error) {
      if (isOver(error)) door.leaveWithNotice();
      else door.settle();
    }
  }

  async function watch() {
    await ready().catch((error: IdentityError) => {
      notify.bad(error.message);
      door.settle();
    });
  }

  /** Another tab keeps or forgets the token. */
  function elsewhere({ key, newValue }: StorageEvent) {
    if (key !== 'accessToken' && key !== null) return;
    const { status } = door.auth();
    if (newValue === null && status === 'signedIn') {
      clearDrafts();
      door.leave();
    }
    if (newValue !== null && status === 'signedOut') void watch();
  }

  /** False: there is nothing left to renew. What may pass is thrown, and signs nobody out. */
  async function renewSession() {
    const auth = door.auth();
    if (auth.status !== 'signedIn') return false;
    try {
      await door.prove(auth.email);
      return true;
    } catch (error) {
      if (!isOver(error)) throw asApiError(error);
      if (door.auth().status === 'signedIn') door.leaveWithNotice();
      return false;
    }
  }

  function start(store: AppStore) {
    door.open(store);
    window.addEventListener('storage', elsewhere);
    if (hasTrace()) void watch();
    else door.settle();
  }

  return { extra: { idToken: async () => door.proof(), renewSession }, actions: desk.actions, start };
}
