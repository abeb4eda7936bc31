import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/server';
import { waitUntil } from '../../support/wait';

const FIREBASE_CLI = join(__dirname, '../../node_modules/firebase-tools/lib/bin/firebase.js');
const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;

const isReachable = (url: string) =>
  fetch(url)
    .then(({ ok }) => ok)
    .catch(() => false);

async function enableEnumerationProtection(url: string, projectId: string) {
  const target = `${url}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=emailPrivacyConfig`;
  const response = await fetch(target, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }),
  });
  if (!response.ok) throw new Error(`the Auth emulator refused its settings: ${response.status}`);
}

type LinkType = 'VERIFY_EMAIL' | 'PASSWORD_RESET';

/** The emulator mails nothing, but lists the links. */
async function findEmulatorLink(url: string, projectId: string, email: string, requestType: LinkType): Promise<URL> {
  const response = await fetch(`${url}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as {
    oobCodes: { email: string; requestType: string; oobLink: string }[];
  };
  return new URL(oobCodes.findLast((code) => code.email === email && code.requestType === requestType)!.oobLink);
}

/** Starts Google's Auth emulator with email enumeration protection, as in production. */
export async function startAuthEmulator(projectId: string) {
  const folder = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const endpointAt = (port: number) => ({ host: HOST, port });
  const emulators = {
    auth: endpointAt(auth),
    hub: endpointAt(hub),
    logging: endpointAt(logging),
    ui: { enabled: false },
    singleProjectMode: true,
  };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  const args = [FIREBASE_CLI, 'emulators:start', '--only', 'auth', '--project', projectId];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, CI: '1' } });
  const url = `http://${HOST}:${auth}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => isReachable(url), START_TIMEOUT_MS);
    await enableEnumerationProtection(url, projectId);
  } catch (error) {
    await stop();
    throw error;
  }
  const findLink = (email: string, requestType: LinkType) => findEmulatorLink(url, projectId, email, requestType);
  return { url, stop, findLink };
}
