import { deleteApp } from 'firebase/app';
import {
  createUserWithEmailAndPassword,
  deleteUser,
  fetchSignInMethodsForEmail,
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
  type Auth,
} from 'firebase/auth';
import { openBrowser, shownClaims, shownSignIn, shownUser, type Service } from './firebaseBrowser';

const EMAIL = 'ann@ex.com';

function openScene(service: Service) {
  const here = openBrowser(service);
  const elsewhere = openBrowser(service);
  const outcome: Record<string, unknown> = {};
  const userOf = (auth: Auth) => auth.currentUser ?? Promise.reject(new Error('nobody is signed in'));
  return {
    here,
    elsewhere,
    outcome,
    me: async () => userOf(here),
    other: async () => userOf(elsewhere),
    claims: async (renew = false) => shownClaims(await userOf(here), service.projectId, renew),
    signUp: async (auth: Auth, email: string, password: string) =>
      shownSignIn(await createUserWithEmailAndPassword(auth, email, password)),
    signIn: async (auth: Auth, email: string, password: string) =>
      shownSignIn(await signInWithEmailAndPassword(auth, email, password)),
    google: async (email: string, name: string) => {
      const credential = GoogleAuthProvider.credential(await service.google(email, name));
      return shownSignIn(await signInWithCredential(here, credential));
    },
    step: async (name: string, work: () => Promise<unknown>) => {
      outcome[name] = await work().then(
        (value) => value ?? 'done',
        (error: { code?: string }) => ({ code: error.code ?? String(error) }),
      );
    },
  };
}

type Scene = ReturnType<typeof openScene>;

/** Times in tokens are whole seconds: a session can only be older than what ended it from the next one on. */
const nextSecond = () => new Promise((resume) => setTimeout(resume, 1100));

async function arriving({ step, here, me, claims, signUp }: Scene) {
  await step('signs up', () => signUp(here, EMAIL, 'secret-1'));
  await step('claims at sign-up', () => claims());
  await step('gives a name', async () => updateProfile(await me(), { displayName: 'Ann Lee' }));
  await step('claims before renewal', () => claims());
  await step('claims after renewal', () => claims(true));
  await step('reloads', () => me().then(reload).then(me).then(shownUser));
  await step('asks for verification', () => me().then((user) => sendEmailVerification(user)));
  await step('signs out', () => signOut(here).then(() => here.currentUser ?? 'nobody'));
}

async function refused({ step, here, signUp, signIn }: Scene) {
  await step('email in use', () => signUp(here, EMAIL, 'secret-1'));
  await step('email in use, other case', () => signUp(here, 'ANN@Ex.com', 'secret-1'));
  await step('weak password', () => signUp(here, 'weak@ex.com', '12345'));
  await step('weak password, email in use', () => signUp(here, EMAIL, '12345'));
  await step('sign-up, bad email', () => signUp(here, 'not-an-email', 'secret-1'));
  await step('sign-up, no email', () => signUp(here, '', 'secret-1'));
  await step('sign-up, no password', () => signUp(here, 'none@ex.com', ''));
  await step('wrong password', () => signIn(here, EMAIL, 'badbad'));
  await step('unknown address', () => signIn(here, 'nobody@ex.com', 'badbad'));
  await step('bad email', () => signIn(here, 'not-an-email', 'badbad'));
  await step('no email', () => signIn(here, '', 'badbad'));
  await step('no password', () => signIn(here, EMAIL, ''));
}

async function askingWhoIsThere({ step, here }: Scene) {
  await step('methods of a known address', () => fetchSignInMethodsForEmail(here, EMAIL));
  await step('methods of an unknown address', () => fetchSignInMethodsForEmail(here, 'nobody@ex.com'));
  await step('methods of no address', () => fetchSignInMethodsForEmail(here, 'not-an-email'));
  await step('forgot, known address', () => sendPasswordResetEmail(here, EMAIL));
  await step('forgot, unknown address', () => sendPasswordResetEmail(here, 'nobody@ex.com'));
  await step('forgot, bad email', () => sendPasswordResetEmail(here, 'not-an-email'));
  await step('forgot, no email', () => sendPasswordResetEmail(here, ''));
}

async function changing({ step, here, elsewhere, me, other, claims, signIn }: Scene) {
  await step('signs in', () => signIn(here, EMAIL, 'secret-1'));
  await step('signs in elsewhere, other case', () => signIn(elsewhere, 'ANN@ex.com', 'secret-1'));
  await nextSecond();
  await step('weak new password', async () => updatePassword(await me(), '12345'));
  await step('new password', async () => updatePassword(await me(), 'secret-2'));
  await step('claims after new password', () => claims());
  await step('elsewhere the session has ended', () => other().then(reload));
  await step('elsewhere nobody is left', async () => elsewhere.currentUser?.email ?? 'nobody');
  await step('old password', () => signIn(elsewhere, EMAIL, 'secret-1'));
  await step('new password signs in', () => signIn(elsewhere, EMAIL, 'secret-2'));
  await step('new email', async () => updateEmail(await me(), 'ann.lee@ex.com'));
  await step('new email, bad', async () => updateEmail(await me(), 'not-an-email'));
  await step('user after new email', () => me().then(shownUser));
  await step('old email', () => signIn(elsewhere, EMAIL, 'secret-2'));
  await step('signs in with new email', () => signIn(elsewhere, 'ann.lee@ex.com', 'secret-2'));
}

async function leaving({ step, here, me, other, signIn }: Scene) {
  await step('deletes the account', () => me().then(deleteUser));
  await step('deleted: renewal elsewhere', () => other().then((user) => user.getIdToken(true)));
  await step('deleted: reload elsewhere', () => other().then(reload));
  await step('deleted: signs in', () => signIn(here, 'ann.lee@ex.com', 'secret-2'));
}

async function withGoogle({ step, here, elsewhere, me, other, claims, signUp, signIn, google }: Scene) {
  await step('Google, first time', () => google('goo@ex.com', 'Goo Gle'));
  await step('Google, claims', () => claims());
  await step('Google, second time', () => google('goo@ex.com', 'Goo Gle'));
  await step('Google, reloaded', () => me().then(reload).then(me).then(shownUser));
  await step('Google account has no password', () => signIn(elsewhere, 'goo@ex.com', 'secret-1'));
  await step('Google address in use', () => signUp(elsewhere, 'goo@ex.com', 'secret-1'));
  await step('somebody takes an address', () => signUp(elsewhere, 'victim@ex.com', 'secret-1'));
  await nextSecond();
  await step('Google takes it back', () => google('victim@ex.com', 'Vic Tim'));
  await step('its claims', () => claims(true));
  await step('the taker is out', () => other().then(reload));
  await step('the taker has no password', () => signIn(elsewhere, 'victim@ex.com', 'secret-1'));
  await step('bad Google credential', () => signInWithCredential(here, GoogleAuthProvider.credential('garbage')));
}

/** What a person does with the unchanged SDK, step by step, and what each step came to. */
export async function playScenario(service: Service): Promise<Record<string, unknown>> {
  const scene = openScene(service);
  for (const chapter of [arriving, refused, askingWhoIsThere, changing, leaving, withGoogle]) await chapter(scene);
  await Promise.all([deleteApp(scene.here.app), deleteApp(scene.elsewhere.app)]);
  return scene.outcome;
}
