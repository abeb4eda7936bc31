import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { cleanUp, removePreparedFolders, postmasterPidOf, copyPreparedFolder } from '../../support/databaseProcess';
import { expectEventually, waitUntil } from '../../support/wait';
import { launchServer, startServer } from '../../support/server';

afterEach(cleanUp);
afterAll(removePreparedFolders);

/** Sends the headers of a sign-in and the beginning of its body. `finish` sends the rest. */
async function sendHalfSignIn(origin: string) {
  const body = JSON.stringify({ email: DEMO_ACCOUNTS[0]!.email, password: DEMO_PASSWORD, returnSecureToken: true });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword';
  const call = request(origin + path, { method: 'POST', headers });
  const status = once(call, 'response').then(
    ([response]) => (response as IncomingMessage).resume().statusCode,
    () => 'cut off',
  );
  call.flushHeaders();
  await once(call, 'continue');
  call.write(body.slice(0, 9));
  return { status, finish: () => call.end(body.slice(9)) };
}

test('Ctrl-C under npm start, which sends the server two signals, finishes open requests and stops the database', async () => {
  const folder = await copyPreparedFolder();
  const { origin, child } = await startServer({ DATA_DIR: folder }, { program: 'scripts/start.mjs', detached: true });
  const ended = once(child, 'exit');
  const signIn = await sendHalfSignIn(origin);
  process.kill(-child.pid!, 'SIGINT');
  const isListening = () => fetch(`${origin}/healthz`).then(Boolean, () => false);
  await expectEventually(isListening, false);
  signIn.finish();
  expect(await signIn.status).toBe(200);
  expect(await ended).toEqual([0, null]);
  expect(postmasterPidOf(folder)).toBeUndefined();
});

test('SIGHUP during startup leaves no PostgreSQL running', async () => {
  const folder = await copyPreparedFolder();
  const child = await launchServer({ DATA_DIR: folder });
  const ended = once(child, 'exit');
  await waitUntil(() => postmasterPidOf(folder) !== undefined);
  child.kill('SIGHUP');
  expect(await ended).toEqual([0, null]);
  expect(postmasterPidOf(folder)).toBeUndefined();
});

test('SIGTERM aborts a request whose body never ends, and stops the database', async () => {
  const folder = await copyPreparedFolder();
  const { origin, child } = await startServer({ DATA_DIR: folder });
  const ended = once(child, 'exit');
  const signIn = await sendHalfSignIn(origin);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await signIn.status).toBe('cut off');
  expect(postmasterPidOf(folder)).toBeUndefined();
});
