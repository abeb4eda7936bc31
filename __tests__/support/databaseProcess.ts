import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { transformSync, type Options } from '@swc/core';
import type { EmbeddedPostgres } from '../../embedded/postgres';
import { readPidFile } from '../../embedded/postgres/pidfile';
import { isAlive } from '../../embedded/postgres/processes';
import { query } from './database';
import { waitUntil } from './wait';

const ROOT = join(__dirname, '../..');
const COMPILER_OPTIONS: Options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  swcrc: false,
};

function compile(path: string, into: string): void {
  const source = join(ROOT, path);
  if (statSync(source).isDirectory()) {
    for (const name of readdirSync(source)) compile(join(path, name), into);
    return;
  }
  if (!path.endsWith('.ts')) return;
  const target = join(into, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformSync(readFileSync(source, 'utf8'), { ...COMPILER_OPTIONS, filename: source }).code);
}

/** Compiles a program once for plain Node, so that each of its many processes starts without a compiler. */
function compileProgram(program: string, ...dependencies: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-test-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [program, ...dependencies]) compile(path, folder);
  const entryFile = join(folder, basename(program).replace(/\.ts$/, '.js'));
  writeFileSync(entryFile, `require('./${program.replace(/\.ts$/, '')}');\n`);
  return entryFile;
}

interface Message {
  message?: string;
  error?: string;
  connection?: EmbeddedPostgres['connection'];
}

interface DatabaseProcess {
  child: ChildProcess;
  messages: string[];
  connection: EmbeddedPostgres['connection'];
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const children: ChildProcess[] = [];
/** The folders that contain the tests' DATA_DIRs. They are deleted after each test. */
const parentFolders: string[] = [];
const usedFolders = new Set<string>();
let program: string | undefined;
let preparedFolder: string | undefined;

/** @returns a DATA_DIR that does not exist yet */
export function newFolder(name = 'data', mode = 0o755): string {
  // On macOS the temporary folder is a symbolic link, and its path is too long for a Unix socket.
  const parent = mkdtempSync(join(process.platform === 'darwin' ? '/private/tmp' : tmpdir(), 'embedded-test-'));
  chmodSync(parent, mode);
  parentFolders.push(parent);
  return join(parent, name);
}

/** @returns a DATA_DIR of a database that was started and stopped before */
export async function copyPreparedFolder(name?: string): Promise<string> {
  preparedFolder ??= await createPreparedFolder();
  const folder = newFolder(name);
  cpSync(preparedFolder, folder, { recursive: true });
  // Node 22 does not copy the modes of folders, and PostgreSQL refuses a cluster that others can read.
  chmodSync(join(folder, 'cluster'), 0o700);
  return folder;
}

async function createPreparedFolder(): Promise<string> {
  const folder = newFolder();
  await (await openDatabaseProcess('start', folder)).stop();
  // Keeps the folder until the tests of the file have ended.
  parentFolders.pop();
  return folder;
}

export function launchDatabaseProcess(mode: 'start' | 'attach', dataDir: string): ChildProcess {
  program ??= compileProgram('__tests__/support/programs/databaseProgram.ts', 'embedded/postgres');
  const child = fork(program, [mode, dataDir], { detached: true, execArgv: [] });
  children.push(child);
  usedFolders.add(dataDir);
  return child;
}

async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Opens the database in a separate process. Rejects with the error of that process when it fails. */
export function openDatabaseProcess(mode: 'start' | 'attach', dataDir: string): Promise<DatabaseProcess> {
  const child = launchDatabaseProcess(mode, dataDir);
  const messages: string[] = [];
  const ended = once(child, 'exit');
  const stop = async () => {
    child.send('stop');
    await ended;
  };
  let reason = 'the process ended without an error message';
  return new Promise((resolve, reject) => {
    child.on('message', ({ message, error, connection }: Message) => {
      if (message) messages.push(message);
      if (error) reason = error;
      if (!connection) return;
      const kill = () => killProcess(child);
      const queryThis: DatabaseProcess['query'] = (text, values) => query(text, values, connection);
      resolve({ child, messages, connection, query: queryThis, stop, kill });
    });
    void ended.then(([code]) => reject(new Error(`${reason} [exit ${code}]`)));
  });
}

export const postmasterPidOf = (folder: string) => readPidFile(join(folder, 'cluster'))?.pid;

/** Stops PostgreSQL without a checkpoint, to save time. Its data are not needed, because the folder is deleted next. */
async function stopPostgres(folder: string): Promise<void> {
  const pid = postmasterPidOf(folder);
  if (!pid || !isAlive(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await waitUntil(() => postmasterPidOf(folder) === undefined);
}

/** After each test, ends the processes that it started and deletes their folders. */
export function cleanUpDatabases(): void {
  afterEach(async () => {
    await Promise.all(children.splice(0).map(killProcess));
    await Promise.all([...usedFolders].map(stopPostgres));
    usedFolders.clear();
    for (const folder of parentFolders.splice(0)) rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 200 });
  });
  afterAll(() => {
    for (const path of [preparedFolder, program]) if (path) rmSync(dirname(path), { recursive: true });
  });
}
