import { createStore, type AppStore } from '../../../src/app/store';
import { IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { takePendingToasts } from '../../../src/feedback/notify';
import { signedIn, signedOut } from '../../../src/session/authSlice';
import { IdentityError } from '../../../src/session/identity';
import { createLazySession } from '../../../src/session/lazySession';
import { waitUntil } from '../../support/wait';

const PERSON = { displayName: 'Ann Lee', email: 'ann@mail.example', emailVerified: true, hasPassword: true };
const CONFIG = { identity: { kind: 'embedded' } } as Parameters<typeof createLazySession>[1];
const UNREACHABLE = { kind: 'error', text: IDENTITY_UNREACHABLE, replacesAll: undefined };

/** The network is down, so the chunk with the session's code cannot be loaded. */
const load = jest.fn(() => Promise.reject(new Error('offline')));
let store: AppStore;
let session: ReturnType<typeof createLazySession>;

beforeEach(() => {
  load.mockClear();
  localStorage.clear();
  takePendingToasts();
  store = createStore({ renew: () => Promise.resolve(false) });
  session = createLazySession(load, CONFIG);
});
/** A tab that is signed in ignores the events of the tests that follow. */
afterEach(() => void store.dispatch(signedIn(PERSON)));

const auth = () => store.getState().auth;
const waitForToast = async () => {
  const toasts: unknown[] = [];
  await waitUntil(() => toasts.push(...takePendingToasts()) > 0);
  expect(toasts).toEqual([UNREACHABLE]);
};

/** Dispatches what a browser dispatches when another tab changes localStorage. */
const changeInOtherTab = (key: string | null, newValue: string | null) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

test.each<[string, Record<string, string>]>([
  ['nothing', {}],
  ['a theme and the name of an account', { theme: 'dark', 'x-firebase:authUser:': 'ann' }],
])('a visitor whose browser has stored %s is signed out at once, without loading the session', (_what, stored) => {
  Object.assign(localStorage, stored);
  session.start(store);
  expect([auth(), load.mock.calls]).toEqual([{ status: 'signedOut', signedOutAtKey: undefined }, []]);
});

test.each<[string, Record<string, string>]>([
  ['an access token', { accessToken: 'a token' }],
  ["the identity provider's user", { theme: 'dark', 'firebase:authUser:key:forgeline': '{}' }],
])(
  'if the browser has stored %s but the session cannot be loaded, the user is signed out and told why',
  async (_what, stored) => {
    Object.assign(localStorage, stored);
    session.start(store);
    expect(auth().status).toBe('resolving');
    await waitForToast();
    expect([auth(), load.mock.calls.length]).toEqual([{ status: 'signedOut', signedOutAtKey: undefined }, 1]);
  },
);

describe('In a tab that is signed out,', () => {
  beforeEach(() => {
    session.start(store);
    store.dispatch(signedOut('a page'));
  });

  test.each<[string, string | null, string | null]>([
    ['signs out', 'accessToken', null],
    ['clears the storage', null, null],
    ['changes the theme', 'theme', 'dark'],
  ])('the session is not loaded if another tab %s', (_act, key, newValue) => {
    changeInOtherTab(key, newValue);
    expect(load).not.toHaveBeenCalled();
  });

  test('the session is loaded if another tab signs in, and the tab stays signed out if that fails', async () => {
    changeInOtherTab('accessToken', 'a token');
    await waitForToast();
    expect([auth(), load.mock.calls.length]).toEqual([{ status: 'signedOut', signedOutAtKey: 'a page' }, 1]);
  });

  test('a command fails with a sentence for the user if the session cannot be loaded, and the next one tries again', async () => {
    const failure = new IdentityError(IDENTITY_UNREACHABLE);
    for (const loads of [1, 2]) {
      await expect(session.commands.signIn('ann@mail.example', 'secret-word')).rejects.toEqual(failure);
      expect(load).toHaveBeenCalledTimes(loads);
    }
    expect(takePendingToasts()).toEqual([]);
  });

  test('loading the session in advance shows no error, and there is nothing to renew', async () => {
    session.commands.prepare();
    await expect(session.commands.signOut()).rejects.toBeInstanceOf(IdentityError);
    expect(load).toHaveBeenCalledTimes(1);
    expect([await session.renew(), takePendingToasts()]).toEqual([false, []]);
  });
});

test('a tab that is signed in does not load the session because another tab has renewed the token', () => {
  session.start(store);
  store.dispatch(signedIn(PERSON));
  changeInOtherTab('accessToken', 'newer');
  changeInOtherTab('accessToken', null);
  expect([auth().status, load.mock.calls]).toEqual(['signedIn', []]);
});
