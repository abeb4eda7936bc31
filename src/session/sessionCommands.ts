import type { Identity, Person } from './identity';
import type { Door } from './sessionTransitions';
import { clearDrafts } from '../forms/drafts';
import { tellings } from '../app/listeners';
import { notify } from '../feedback/notify';
import type { SessionActions } from './sessionActions';

const SOON_MS = 1000;
/** Or not at all: no longer than that, and whatever became of it. */
const soon = (work: Promise<unknown>) =>
  Promise.race([work.catch(() => undefined), new Promise((go) => setTimeout(go, SOON_MS))]);

/** What a person does here. Until it is done, what the provider reports is our own doing. */
export function makeActions(ready: () => Promise<Identity>, door: Door) {
  let acting = 0;
  /** An account without its name yet: nobody is signed in until it has one. */
  let unnamed = false;

  async function act<T>(work: (provider: Identity) => Promise<T>): Promise<T> {
    acting += 1;
    try {
      return await work(await ready());
    } finally {
      acting -= 1;
      door.settle();
    }
  }

  async function enter(person: Person) {
    await door.prove(person.email);
    unnamed = false;
    door.admit(person);
  }

  /** Refused by the shop, one is not half signed in. */
  const signInBy = (verb: (provider: Identity) => Promise<Person>) =>
    act(async (provider) => {
      const person = await verb(provider);
      await enter(person).catch(async (error) => {
        await provider.signOut();
        throw error;
      });
    });

  const actions: SessionActions = {
    prepare: () => void ready().catch(() => undefined),
    signIn: (email, password) => signInBy((provider) => provider.signIn(email, password)),
    signInWithGoogle: () => signInBy((provider) => provider.signInWithGoogle()),
    signUp: (email, password) =>
      act(async (provider) => {
        await provider.signUp(email, password);
        unnamed = true;
      }),
    rename: (displayName) => act(async (provider) => enter(await provider.rename(displayName))),
    resetPassword: (email) => act((provider) => provider.resetPassword(email)),
    async signOut() {
      clearDrafts();
      await soon(tellings().then(({ renewIfExpired }) => renewIfExpired(door)));
      door.signOut();
      unnamed = false;
      await act((provider) => provider.signOut()).catch((error: Error) => notify.bad(error.message));
    },
  };
  return { actions, isBusy: () => acting > 0 || unnamed };
}
