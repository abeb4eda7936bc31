import { render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Root } from '../../../src/app/Root';
import { createStore } from '../../../src/app/store';
import { readConfig, type AppConfig } from '../../../src/config';
import * as messages from '../../../src/contract/identityMessages';
import { APP_MESSAGES, IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { query } from '../../support/database';
import { fill, user } from '../../support/page';

const [EXCHANGE, ID_TOKEN, LOGIN, RESET] = ['PUT /user/', '/v1/token', ':signInWithPassword', ':sendOobCode'];

type Send = () => Promise<Response>;
let sent: string[] = [];
const callsTo = (part: string) => sent.filter((call) => call.includes(part));
let answers: Record<string, (send: Send) => Promise<Response>> = {};
const originalFetch = globalThis.fetch;
/** Set before Firebase's SDK is loaded, because the SDK keeps the `fetch` that it finds at that time. */
globalThis.fetch = (input, init) => {
  const { method, url } = input instanceof Request ? input : new Request(input, init);
  const call = `${method} ${decodeURIComponent(url).replace(location.origin, '')}`;
  sent.push(call);
  const [, answer = (send: Send) => send()] = Object.entries(answers).find(([part]) => call.includes(part)) ?? [];
  return answer(() => originalFetch(input, init));
};
const answerWith =
  (status: number, body = {}) =>
  () =>
    Promise.resolve(Response.json(body, { status }));
const refuseConnection = () => Promise.reject(new TypeError('Failed to fetch'));

let config: AppConfig;
const getAuth = async () => (await import('firebase/auth')).getAuth();
const signInInOtherTab = async (email: string, password = PASSWORD) =>
  (await import('firebase/auth')).signInWithEmailAndPassword(await getAuth(), email, password);
let closeTabs: () => void;
beforeAll(async () => {
  const html = await (await fetch('/login', { headers: { accept: 'text/html' } })).text();
  config = readConfig(new DOMParser().parseFromString(html, 'text/html'));
  (await import('../../../src/session/firebaseIdentity')).createFirebaseIdentity(config);
  const { results } = jest.spyOn(await getAuth(), 'onAuthStateChanged').mock;
  closeTabs = () => results.splice(0).forEach(({ value }) => (value as () => void)());
});
afterEach(async () => {
  closeTabs();
  answers = {};
  await (await getAuth()).signOut();
  for (const storage of [localStorage, sessionStorage]) storage.clear();
});

async function openTab(path: string, changes: object = {}) {
  const { openSession } = await import('../../../src/session/session');
  const store = createStore({ renew: () => session.renew() });
  sent = [];
  const session = openSession(config, store);
  const identity = { ...config.identity, ...changes };
  render(
    <MemoryRouter initialEntries={[path]}>
      <Root store={store} config={{ ...config, identity }} commands={{ ...session.commands, prepare: () => {} }} />
    </MemoryRouter>,
  );
  return session;
}

const storedToken = () => localStorage.getItem('accessToken');
const queryNotice = () => screen.queryByText(APP_MESSAGES.sessionEnded);
const navbar = () => within(screen.getByRole('navigation', { name: 'Main' }));
const click = async (name: string) => user.click(await within(screen.getByRole('main')).findByRole('button', { name }));

async function signInAtProvider(name = 'Ann Lee'): Promise<string> {
  const email = newEmail();
  await newAccount(email, name);
  await signInInOtherTab(email);
  return email;
}

async function openSignedInTab(path: string) {
  const email = await signInAtProvider();
  const session = await openTab(path);
  await navbar().findByText('Ann Lee');
  return { email, session, token: storedToken() };
}

test.each([403, 503])('a tab whose first token is refused with %i is signed out, without a notice', async (status) => {
  await signInAtProvider();
  answers[EXCHANGE] = answerWith(status);
  const session = await openTab('/dashboard');
  await screen.findByRole('heading', { name: 'Login' });
  expect([await session.renew(), callsTo(EXCHANGE).length, queryNotice()]).toEqual([false, 1, null]);
});

test('a tab gets an access token for the user at its start, and for another who logs in in another tab', async () => {
  const { email: ann, token } = await openSignedInTab('/blogs');
  const bob = await signInAtProvider('Bob');
  await navbar().findByText('Bob');
  expect([callsTo(EXCHANGE), storedToken() === token]).toEqual([[`PUT /user/${ann}`, `PUT /user/${bob}`], false]);
});

test.each([EXCHANGE, ID_TOKEN])('a user who signs out before the answer to %s stays signed out', async (call) => {
  const { session } = await openSignedInTab('/blogs');
  answers[call] = async (send) => {
    await user.click(navbar().getByRole('button', { name: 'Sign out' }));
    await navbar().findByRole('link', { name: 'Login' });
    return send();
  };
  await Promise.allSettled([session.renew()]);
  expect([storedToken(), queryNotice()]).toEqual([null, null]);
});

test('a form says that the user is offline if a new token cannot be requested from the provider', async () => {
  await openSignedInTab('/dashboard');
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', LinkedIn: 'linkedin.example/ann' });
  localStorage.setItem('accessToken', 'expired');
  answers[ID_TOKEN] = refuseConnection;
  await click('Save');
  await screen.findByText(APP_MESSAGES.offline);
  expect(storedToken()).toBe('expired');
});

test.each([403, 500])('a login that the shop answers with %i is undone at the provider', async (status) => {
  const email = newEmail();
  await newAccount(email);
  answers[EXCHANGE] = answerWith(status, { status, code: 'any', detail: 'Not today.' });
  await openTab('/login');
  await fill({ Email: email, Password: PASSWORD });
  await click('Log in');
  await screen.findByText('Not today.');
  expect([(await getAuth()).currentUser, storedToken()]).toEqual([null, null]);
});

test('a customer who forgot the password reads the same message whether or not an account uses the email', async () => {
  await openTab('/login');
  await fill({ Email: 'nobody@mail.example' });
  await click('Forgot your password?');
  await screen.findByText(PAGE_MESSAGES.passwordResetSent);
  // Firebase answers like this if its email enumeration protection is off.
  answers[RESET] = answerWith(400, { error: { code: 400, message: 'EMAIL_NOT_FOUND' } });
  await click('Send the link again');
  await waitFor(() => expect(callsTo(RESET)).toHaveLength(2));
  await screen.findByText(PAGE_MESSAGES.passwordResetSent);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the link that verifies an email is sent at most once a minute', async () => {
  await openSignedInTab('/dashboard');
  await click('Send the link again');
  await screen.findByText(PAGE_MESSAGES.verificationSent);
  await click('Send the link again');
  await screen.findByText(messages.LINK_JUST_SENT);
  expect(callsTo(RESET)).toHaveLength(1);
});

test('a verified email is reported to the shop at the next look, or at the one after that if the first fails', async () => {
  const { email } = await openSignedInTab('/dashboard');
  await screen.findByText(PAGE_MESSAGES.emailNotVerified);
  await query('update embedded_identity.accounts set email_verified = true where email = $1', [email]);
  answers[EXCHANGE] = answerWith(503);
  await waitFor(() => {
    window.dispatchEvent(new Event('focus'));
    expect(callsTo(EXCHANGE).length).toBeGreaterThan(1);
  });
  await screen.findByText(PAGE_MESSAGES.emailNotVerified);
  answers = {};
  document.dispatchEvent(new Event('visibilitychange'));
  await screen.findByText(messages.SESSION_MESSAGES.emailVerified);
  await waitFor(() => expect(screen.queryByText(PAGE_MESSAGES.emailNotVerified)).toBeNull());
  expect(await query('select email_verified as verified from users where email = $1', [email])).toEqual([
    { verified: true },
  ]);
});

const refuseSecondLogin = (send: Send) => (callsTo(LOGIN)[1] ? refuseConnection() : send());
test.each<[string, typeof answers, string, boolean]>([
  ['renews the access token', {}, PAGE_MESSAGES.passwordChanged, true],
  ['succeeds even if the renewal fails', { [EXCHANGE]: answerWith(503) }, PAGE_MESSAGES.passwordChanged, false],
  ['reports a login that fails then', { [LOGIN]: refuseSecondLogin }, messages.PASSWORD_CHANGED_LOGIN_FAILED, false],
])('changing the password, after a try with a wrong one, %s', async (_what, replaced, message, isRenewed) => {
  const { email, token } = await openSignedInTab('/dashboard');
  await fill({ 'Current password': 'wrong-password', 'New password': `${PASSWORD}-2` });
  await click('Change password');
  await screen.findByText(messages.WRONG_CURRENT_PASSWORD);
  sent = [];
  answers = replaced;
  await fill({ 'Current password': PASSWORD });
  await click('Change password');
  await screen.findByText(message);
  expect(storedToken() !== token).toBe(isRenewed);
  answers = {};
  await signInInOtherTab(email, `${PASSWORD}-2`);
});

test('signup refuses a common password, and shows "No user is logged in" if the name has no account', async () => {
  await openTab('/signup');
  await fill({ Name: 'Ann Lee', Email: newEmail(), Password: 'password1' });
  await click('Sign up');
  await screen.findByText(messages.COMMON_PASSWORD_MESSAGE);
  await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
  expect(screen.getByLabelText('Password')).toBeInvalid();
  answers[':update'] = refuseConnection;
  await fill({ Password: PASSWORD });
  await click('Sign up');
  await screen.findByText(IDENTITY_UNREACHABLE);
  await (await getAuth()).signOut();
  await click('Save your name');
  await screen.findByText(SPEC_MESSAGES.noUser);
});

test('a customer who signs up with the local Google returns to the page that required a login, and has no password here', async () => {
  const account = { email: newEmail('google'), displayName: 'Goo Gle' };
  const body = new Blob([JSON.stringify(account)], { type: 'application/json' });
  const response = await fetch('/identity/google/credential', { method: 'POST', body });
  const { idToken } = (await response.json()) as { idToken: string };
  window.open = (_url, event) => {
    const data = { type: 'forgeline:google', event, idToken };
    const message = new MessageEvent('message', { origin: location.origin, source: window, data });
    setTimeout(() => window.dispatchEvent(message));
    return window;
  };
  await openTab('/dashboard');
  await user.click(await screen.findByRole('link', { name: 'Create an account' }));
  await click('Continue with Google');
  await screen.findByText(/^You log in with Google/);
});

test("a shop with Firebase's emulator sends its requests there", async () => {
  answers[RESET] = answerWith(200);
  await jest.isolateModulesAsync(async () => {
    const { createFirebaseIdentity } = await import('../../../src/session/firebaseIdentity');
    const identity = { kind: 'emulator', host: '127.0.0.1:9099', projectId: 'forgeline', google: true } as const;
    await createFirebaseIdentity({ ...config, identity }).requestPasswordReset('ann@mail.example');
  });
  expect(callsTo(RESET).at(-1)).toMatch(/^POST http:..127.0.0.1:9099.identitytoolkit/);
});
