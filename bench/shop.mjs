import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../scripts/install.mjs';
import { testKit } from '../scripts/testKit.mjs';
import { CORES, finallyDo, startNode } from './machine.mjs';

const PATIENCE_MS = 60_000;

export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-bench-'));
  finallyDo(() => forget(folder));
  return folder;
}

/** Where root's database lives is written in the folder. */
const placeOf = (folder) =>
  existsSync(join(folder, 'place')) ? readFileSync(join(folder, 'place'), 'utf8').trim() : folder;

function forget(folder) {
  const place = existsSync(folder) ? placeOf(folder) : folder;
  for (const path of [place, folder]) rmSync(path, { recursive: true, force: true });
}

const answers = async (url) =>
  fetch(url, { headers: { accept: 'application/json' } }).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );

/** The built shop with its database on the server's core; `ready` is how long its first answer took. */
export async function startShop({ folder = newFolder(), env = {}, core = CORES.server } = {}) {
  const port = await testKit().freePort();
  const origin = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const own = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, ...env };
  const log = openSync(join(newFolder(), 'shop.log'), 'a');
  const child = startNode([join(root, 'dist/server/index.js')], { core, env: own, stdio: ['ignore', log, 'inherit'] });
  while (!(await answers(`${origin}/tool`))) {
    if (child.exitCode !== null || performance.now() - began > PATIENCE_MS) throw new Error('The shop did not start.');
    await setTimeout(5);
  }
  return { origin, port, pid: child.pid, folder, ready: performance.now() - began, stop: child.stop };
}

/** Where the shop's own database answers. */
export function connectionOf({ folder }) {
  const cluster = join(placeOf(folder), 'cluster');
  const [, , , port, socket, address] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  const password = existsSync(join(cluster, 'password')) ? readFileSync(join(cluster, 'password'), 'utf8') : undefined;
  return { host: socket || address, port: Number(port), user: 'forgeline', database: 'forgeline', password };
}

/** For what no call can make: a million orders. */
export async function openDatabase(shop) {
  const { Client } = createRequire(join(root, 'package.json'))('pg');
  const client = new Client(connectionOf(shop));
  await client.connect();
  return client;
}
