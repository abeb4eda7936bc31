import { chmodSync, existsSync, lchownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DataFolder } from './dataFolder';
import type { PidFile } from './pidfile';

export interface PostgresAddress {
  host: string;
  port: number;
  password?: string;
  loopback: boolean;
}

export const USES_LOOPBACK = process.platform === 'win32';
export const PASSWORD_FILE = 'password';
const PORT = 5432;
const TEMP_PREFIX = 'forgeline-';
const MAX_SOCKET_PATH_BYTES = 100;

const fitsSocketPath = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES;

function readPassword(dataFolder: DataFolder): string | undefined {
  const file = join(dataFolder.cluster, PASSWORD_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const defaultSocketFolder = (dataFolder: DataFolder) => join(dataFolder.folder, 'socket');

/** If the path in DATA_DIR is too long for a socket (macOS allows 103 bytes), uses a private temporary folder. */
function makeSocketFolder(dataFolder: DataFolder): string {
  const defaultFolder = defaultSocketFolder(dataFolder);
  const temporaryParent = fitsSocketPath(join(tmpdir(), TEMP_PREFIX + 'xxxxxx')) ? tmpdir() : '/tmp';
  const folder = fitsSocketPath(defaultFolder) ? defaultFolder : mkdtempSync(join(temporaryParent, TEMP_PREFIX));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (dataFolder.osUser) lchownSync(folder, dataFolder.osUser.uid, dataFolder.osUser.gid);
  chmodSync(folder, 0o700);
  return folder;
}

export async function createPostgresAddress(dataFolder: DataFolder): Promise<PostgresAddress> {
  if (!USES_LOOPBACK) return { host: makeSocketFolder(dataFolder), port: PORT, loopback: false };
  return { host: '127.0.0.1', port: await findFreePort(), password: readPassword(dataFolder), loopback: true };
}

export function postgresAddressOf(dataFolder: DataFolder, running: PidFile | undefined): PostgresAddress {
  if (!USES_LOOPBACK) return { host: running?.socket ?? defaultSocketFolder(dataFolder), port: PORT, loopback: false };
  return { host: '127.0.0.1', port: running?.port ?? PORT, password: readPassword(dataFolder), loopback: true };
}

export function removeSocketFolder({ host }: PostgresAddress): void {
  if (basename(host).startsWith(TEMP_PREFIX)) rmSync(host, { recursive: true, force: true });
}
