import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './server';
import { waitUntil } from './wait';

const CLI = join(__dirname, '../node_modules/firebase-tools/lib/bin/firebase.js');
const HOST = '127.0.0.1';
const START_MS = 60_000;

const answers = (url: string) =>
  fetch(url)
    .then(({ ok }) => ok)
    .catch(() => false);

async function protectAddresses(url: string, projectId: string) {
  const target = `${url}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=emailPrivacyConfig`;
  const response = await fetch(target, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }),
  });
  if (!response.ok) throw new Error(`the Auth emulator refused its settings: ${response.status}`);
}

/** Google's Auth emulator, in the mode in which it does not tell who has an account. */
export async function startEmulator(projectId: string) {
  const folder = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const at = (port: number) => ({ host: HOST, port });
  const emulators = {
    auth: at(auth),
    hub: at(hub),
    logging: at(logging),
    ui: { enabled: false },
    singleProjectMode: true,
  };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  const args = [CLI, 'emulators:start', '--only', 'auth', '--project', projectId];
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
    await waitUntil(() => answers(url), START_MS);
    await protectAddresses(url, projectId);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
