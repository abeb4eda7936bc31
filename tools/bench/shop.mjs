import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/install.mjs';
import { loadTestKit } from '../lib/testKit.mjs';
import { CORES, onEnd, startNode } from './machine.mjs';

const START_TIMEOUT_MS = 60_000;

export function createTempFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-bench-'));
  onEnd(() => removeFolder(folder));
  return folder;
}

/** A server that runs as root may keep its database in another folder. The file `place` contains that folder's path. */
const readDataFolder = (folder) =>
  existsSync(join(folder, 'place')) ? readFileSync(join(folder, 'place'), 'utf8').trim() : folder;

function removeFolder(folder) {
  const dataFolder = existsSync(folder) ? readDataFolder(folder) : folder;
  for (const path of [dataFolder, folder]) rmSync(path, { recursive: true, force: true });
}

const isAnswering = async (url) =>
  fetch(url, { headers: { accept: 'application/json' } }).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );

/**
 * Starts the built shop with its database on the server's core.
 * @returns `readyMs`, the milliseconds until its first response, and the shop's address and process
 */
export async function startShop({ folder = createTempFolder(), env = {}, core = CORES.server } = {}) {
  const port = await loadTestKit().freePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const shopEnv = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, ...env };
  const log = openSync(join(createTempFolder(), 'shop.log'), 'a');
  const child = startNode([join(root, 'dist/server/index.js')], {
    core,
    env: shopEnv,
    stdio: ['ignore', log, 'inherit'],
  });
  while (!(await isAnswering(`${origin}/tool`))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS)
      throw new Error('The shop ended during its start, or did not respond within 60 seconds.');
    await setTimeout(5);
  }
  return { origin, port, pid: child.pid, folder, readyMs: performance.now() - startedAt, stop: child.stop };
}

export function readConnection({ folder }) {
  const cluster = join(readDataFolder(folder), 'cluster');
  const [, , , port, socket, address] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  const password = existsSync(join(cluster, 'password')) ? readFileSync(join(cluster, 'password'), 'utf8') : undefined;
  return { host: socket || address, port: Number(port), user: 'forgeline', database: 'forgeline', password };
}

/** Opens the shop's own database, to insert more data than requests could create in a reasonable time. */
export async function openDatabase(shop) {
  const { Client } = createRequire(join(root, 'package.json'))('pg');
  const client = new Client(readConnection(shop));
  await client.connect();
  return client;
}
