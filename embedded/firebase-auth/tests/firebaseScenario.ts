import { deleteApp } from 'firebase/app';
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  GoogleAuthProvider,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut,
  updateEmail,
  updatePassword,
  updateProfile,
  verifyPasswordResetCode,
  type Auth,
} from 'firebase/auth';
import { openBrowser, describeClaims, describeSignIn, describeUser, type TestedService } from './firebaseBrowser';

const EMAIL = 'ann@ex.com';

function openScenario(service: TestedService) {
  const browser = openBrowser(service);
  const otherBrowser = openBrowser(service);
  const outcome: Record<string, unknown> = {};
  const requireUser = (auth: Auth) => auth.currentUser ?? Promise.reject(new Error('nobody is signed in'));
  return {
    browser,
    otherBrowser,
    outcome,
    currentUser: async () => requireUser(browser),
    otherUser: async () => requireUser(otherBrowser),
    codeFor: service.findCode,
    claims: async (renew = false) => describeClaims(await requireUser(browser), service.projectId, renew),
    signUp: async (auth: Auth, email: string, password: string) =>
      describeSignIn(await createUserWithEmailAndPassword(auth, email, password)),
    signIn: async (auth: Auth, email: string, password: string) =>
      describeSignIn(await signInWithEmailAndPassword(auth, email, password)),
    signInWithGoogle: async (email: string, name: string) => {
      const credential = GoogleAuthProvider.credential(await service.signGoogleCredential(email, name));
      return describeSignIn(await signInWithCredential(browser, credential));
    },
    step: async (name: string, work: () => Promise<unknown>) => {
      outcome[name] = await work().then(
        (value) => value ?? 'done',
        (error: { code?: string }) => ({ code: error.code ?? String(error) }),
      );
    },
  };
}

type Scenario = ReturnType<typeof openScenario>;

/**
 * Waits for the next second. Times in tokens are whole seconds, so ending a session revokes only tokens of earlier
 * seconds.
 */
const nextSecond = () => new Promise((resume) => setTimeout(resume, 1100));

async function playSignUp({ step, browser, currentUser, claims, signUp }: Scenario) {
  await step('signs up', () => signUp(browser, EMAIL, 'secret-1'));
  await step('claims at sign-up', () => claims());
  await step('changes the name', async () => updateProfile(await currentUser(), { displayName: 'Ann Lee' }));
  await step('claims before renewal', () => claims());
  await step('claims after renewal', () => claims(true));
  await step('reloads', () => currentUser().then(reload).then(currentUser).then(describeUser));
  await step('signs out', () => signOut(browser).then(() => browser.currentUser ?? 'nobody'));
}

async function playErrors({ step, browser, signUp, signIn }: Scenario) {
  await step('email in use', () => signUp(browser, EMAIL, 'secret-1'));
  await step('email in use, written in another case', () => signUp(browser, 'ANN@Ex.com', 'secret-1'));
  await step('weak password', () => signUp(browser, 'weak@ex.com', '12345'));
  await step('weak password, email in use', () => signUp(browser, EMAIL, '12345'));
  await step('signs up with an invalid email', () => signUp(browser, 'not-an-email', 'secret-1'));
  await step('signs up without an email', () => signUp(browser, '', 'secret-1'));
  await step('signs up without a password', () => signUp(browser, 'none@ex.com', ''));
  await step('wrong password', () => signIn(browser, EMAIL, 'badbad'));
  await step('unknown email', () => signIn(browser, 'nobody@ex.com', 'badbad'));
  await step('invalid email', () => signIn(browser, 'not-an-email', 'badbad'));
  await step('no email', () => signIn(browser, '', 'badbad'));
  await step('no password', () => signIn(browser, EMAIL, ''));
}

async function playEmailProbes({ step, browser }: Scenario) {
  await step('password reset for a known email', () => sendPasswordResetEmail(browser, EMAIL));
  await step('password reset for an unknown email', () => sendPasswordResetEmail(browser, 'nobody@ex.com'));
  await step('password reset for an invalid email', () => sendPasswordResetEmail(browser, 'not-an-email'));
  await step('password reset without an email', () => sendPasswordResetEmail(browser, ''));
}

async function playAccountChanges({ step, browser, otherBrowser, currentUser, otherUser, claims, signIn }: Scenario) {
  await step('signs in', () => signIn(browser, EMAIL, 'secret-1'));
  await step('the other browser signs in, with the email in another case', () =>
    signIn(otherBrowser, 'ANN@ex.com', 'secret-1'),
  );
  await nextSecond();
  await step('weak new password', async () => updatePassword(await currentUser(), '12345'));
  await step('new password', async () => updatePassword(await currentUser(), 'secret-2'));
  await step('claims after new password', () => claims());
  await step('the session in the other browser has ended', () => otherUser().then(reload));
  await step('user in the other browser', async () => otherBrowser.currentUser?.email ?? 'nobody');
  await step('old password', () => signIn(otherBrowser, EMAIL, 'secret-1'));
  await step('new password signs in', () => signIn(otherBrowser, EMAIL, 'secret-2'));
  await step('new email', async () => updateEmail(await currentUser(), 'ann.lee@ex.com'));
  await step('invalid new email', async () => updateEmail(await currentUser(), 'not-an-email'));
  await step('user after new email', () => currentUser().then(describeUser));
  await step('old email', () => signIn(otherBrowser, EMAIL, 'secret-2'));
  await step('signs in with new email', () => signIn(otherBrowser, 'ann.lee@ex.com', 'secret-2'));
}

async function playVerification({ step, browser, currentUser, claims, signUp, codeFor }: Scenario) {
  const email = 'vera@ex.com';
  const codeOf = () => codeFor(email, 'VERIFY_EMAIL');
  await signUp(browser, email, 'secret-1');
  await step('asks for verification', () => currentUser().then((user) => sendEmailVerification(user)));
  await step('checks a link that verifies', async () => checkActionCode(browser, await codeOf()));
  await step('a link that verifies sets no password', async () =>
    confirmPasswordReset(browser, await codeOf(), 'secret-2'),
  );
  const code = await codeOf();
  await step('opens the link that verifies', () => applyActionCode(browser, code));
  await step('opens the link again', () => applyActionCode(browser, code));
  await step('opens an invented link', () => applyActionCode(browser, 'invented'));
  await step('claims before renewal after verification', () => claims());
  await step('reloads after verification', () => currentUser().then(reload).then(currentUser).then(describeUser));
  await step('claims after verification', () => claims(true));
}

async function playPasswordReset({ step, browser, otherBrowser, otherUser, signUp, signIn, codeFor }: Scenario) {
  const email = 'rita@ex.com';
  await signUp(otherBrowser, email, 'secret-1');
  await nextSecond();
  await step('asks for a new password', () => sendPasswordResetEmail(browser, email));
  const code = await codeFor(email, 'PASSWORD_RESET');
  await step('checks a link that resets', () => checkActionCode(browser, code));
  await step('reads the email of a link that resets', () => verifyPasswordResetCode(browser, code));
  await step('sets a weak password', () => confirmPasswordReset(browser, code, '12345'));
  await step('sets a new password', () => confirmPasswordReset(browser, code, 'secret-2'));
  await step('sets a password with the same link', () => confirmPasswordReset(browser, code, 'secret-3'));
  await step('sets a password with an invented link', () => confirmPasswordReset(browser, 'invented', 'secret-3'));
  await step('the session before the reset has ended', () => otherUser().then(reload));
  await step('signs in with the forgotten password', () => signIn(browser, email, 'secret-1'));
  await step('signs in after the reset', () => signIn(browser, email, 'secret-2'));
}

async function playDeletion({ step, browser, currentUser, otherUser, signIn }: Scenario) {
  await step('deletes the account', () => currentUser().then(deleteUser));
  await step('the other browser renews the token of the deleted account', () =>
    otherUser().then((user) => user.getIdToken(true)),
  );
  await step('the other browser reloads the deleted account', () => otherUser().then(reload));
  await step('signs in to the deleted account', () => signIn(browser, 'ann.lee@ex.com', 'secret-2'));
}

async function playGoogleSignIn({
  step,
  browser,
  otherBrowser,
  currentUser,
  otherUser,
  claims,
  signUp,
  signIn,
  signInWithGoogle,
}: Scenario) {
  await step('signs in with Google for the first time', () => signInWithGoogle('goo@ex.com', 'Goo Gle'));
  await step('claims after signing in with Google', () => claims());
  await step('signs in with Google for the second time', () => signInWithGoogle('goo@ex.com', 'Goo Gle'));
  await step('reloads after signing in with Google', () =>
    currentUser().then(reload).then(currentUser).then(describeUser),
  );
  await step('signs in to a Google account with a password', () => signIn(otherBrowser, 'goo@ex.com', 'secret-1'));
  await step('signs up with the email of a Google account', () => signUp(otherBrowser, 'goo@ex.com', 'secret-1'));
  await step('a stranger signs up with the email of someone else', () =>
    signUp(otherBrowser, 'victim@ex.com', 'secret-1'),
  );
  await nextSecond();
  await step('the owner of that email signs in with Google', () => signInWithGoogle('victim@ex.com', 'Vic Tim'));
  await step('claims of that owner', () => claims(true));
  await step('the stranger reloads the account', () => otherUser().then(reload));
  await step('the stranger signs in with the first password', () => signIn(otherBrowser, 'victim@ex.com', 'secret-1'));
  await step('signs in with an invalid Google credential', () =>
    signInWithCredential(browser, GoogleAuthProvider.credential('garbage')),
  );
}

/**
 * Plays a user's actions with the unmodified SDK.
 * @returns the outcome of each step
 */
export async function playScenario(service: TestedService): Promise<Record<string, unknown>> {
  const scenario = openScenario(service);
  const parts = [playSignUp, playErrors, playEmailProbes, playAccountChanges, playDeletion, playGoogleSignIn];
  for (const part of [...parts, playVerification, playPasswordReset]) await part(scenario);
  await Promise.all([deleteApp(scenario.browser.app), deleteApp(scenario.otherBrowser.app)]);
  return scenario.outcome;
}
