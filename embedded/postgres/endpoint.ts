import { chmodSync, existsSync, lchownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DataFolder } from './dataFolder';
import type { PidFile } from './pidfile';

export interface Endpoint {
  host: string;
  port: number;
  password?: string;
  loopback: boolean;
}

export const LOOPBACK = process.platform === 'win32';
export const PASSWORD = 'password';
const PORT = 5432;
const SHORT = 'forgeline-';
const LONGEST_SOCKET = 100;

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET;

function passwordOf(dataFolder: DataFolder): string | undefined {
  const file = join(dataFolder.cluster, PASSWORD);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const besideCluster = (dataFolder: DataFolder) => join(dataFolder.folder, 'socket');

/** A socket's path may have 103 bytes (on macOS): where DATA_DIR is longer, a private folder of a short name holds it. */
function makeSocketFolder(dataFolder: DataFolder): string {
  const own = besideCluster(dataFolder);
  const folder = fits(own) ? own : mkdtempSync(join(fits(join(tmpdir(), SHORT + 'xxxxxx')) ? tmpdir() : '/tmp', SHORT));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (dataFolder.runner) lchownSync(folder, dataFolder.runner.uid, dataFolder.runner.gid);
  chmodSync(folder, 0o700);
  return folder;
}

export async function newEndpoint(dataFolder: DataFolder): Promise<Endpoint> {
  if (!LOOPBACK) return { host: makeSocketFolder(dataFolder), port: PORT, loopback: false };
  return { host: '127.0.0.1', port: await freePort(), password: passwordOf(dataFolder), loopback: true };
}

export function endpointOf(dataFolder: DataFolder, running: PidFile | undefined): Endpoint {
  if (!LOOPBACK) return { host: running?.socket ?? besideCluster(dataFolder), port: PORT, loopback: false };
  return { host: '127.0.0.1', port: running?.port ?? PORT, password: passwordOf(dataFolder), loopback: true };
}

export function forgetEndpoint({ host }: Endpoint): void {
  if (basename(host).startsWith(SHORT)) rmSync(host, { recursive: true, force: true });
}
