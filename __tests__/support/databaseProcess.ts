import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
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
import { Client, type QueryResultRow } from 'pg';
import type { EmbeddedPostgres } from '../../embedded/postgres';
import { alive } from '../../embedded/postgres/processes';
import { waitUntil } from './wait';

const ROOT = join(__dirname, '../..');
const OPTIONS: Options = {
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
  writeFileSync(target, transformSync(readFileSync(source, 'utf8'), { ...OPTIONS, filename: source }).code);
}

/** Compiles a program once for plain Node: processes that start often need no compiler of their own. */
function compiled(program: string, ...needs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-test-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [program, ...needs]) compile(path, folder);
  const copy = join(folder, basename(program).replace(/\.ts$/, '.js'));
  writeFileSync(copy, `require('./${program.replace(/\.ts$/, '')}');\n`);
  return copy;
}

interface Message {
  said?: string;
  refused?: string;
  connection?: EmbeddedPostgres['connection'];
  milliseconds?: number;
}

export interface DatabaseProcess {
  child: ChildProcess;
  said: string[];
  connection: EmbeddedPostgres['connection'];
  milliseconds: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const children: ChildProcess[] = [];
const parents: string[] = [];
const opened = new Set<string>();
let program: string | undefined;
let prepared: string | undefined;

/** A DATA_DIR that does not exist yet. */
export function newFolder(name = 'data', mode = 0o755): string {
  // The system's folder is a link on macOS, and its path is too long for a socket.
  const parent = mkdtempSync(join(process.platform === 'darwin' ? '/private/tmp' : tmpdir(), 'embedded-test-'));
  chmodSync(parent, mode);
  parents.push(parent);
  return join(parent, name);
}

/** A DATA_DIR of a database that was started and stopped. */
export async function usedFolder(name?: string): Promise<string> {
  prepared ??= await prepare();
  const folder = newFolder(name);
  cpSync(prepared, folder, { recursive: true });
  return folder;
}

async function prepare(): Promise<string> {
  const folder = newFolder();
  await (await open('start', folder)).stop();
  parents.pop();
  return folder;
}

export function launch(how: 'start' | 'attach', dataDir: string): ChildProcess {
  program ??= compiled('__tests__/support/programs/databaseProgram.ts', 'embedded/postgres');
  const child = fork(program, [how, dataDir], { detached: true, execArgv: [] });
  children.push(child);
  opened.add(dataDir);
  return child;
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Opens the database in a process of its own. Rejects with the process's message when that fails. */
export function open(how: 'start' | 'attach', dataDir: string): Promise<DatabaseProcess> {
  const child = launch(how, dataDir);
  const said: string[] = [];
  const ended = once(child, 'exit');
  const stop = async () => {
    child.send('stop');
    await ended;
  };
  let refusal = 'it ended without a word';
  return new Promise((resolve, reject) => {
    child.on('message', ({ said: sentence, refused, connection, milliseconds = 0 }: Message) => {
      if (sentence) said.push(sentence);
      if (refused) refusal = refused;
      if (connection) resolve({ child, said, connection, milliseconds, stop, kill: () => killed(child) });
    });
    void ended.then(([code]) => reject(new Error(`${refusal} [exit ${code}]`)));
  });
}

export async function query<Row extends QueryResultRow>(of: DatabaseProcess, sql: string, values: unknown[] = []) {
  const client = new Client(of.connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export function postmasterOf(folder: string): number | undefined {
  const file = join(folder, 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/** Another process of the user that PostgreSQL runs as. */
export function stranger(folder: string): number {
  const { uid, gid } = statSync(join(folder, 'cluster'));
  const child = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  children.push(child);
  return child.pid!;
}

/** Stops PostgreSQL without a checkpoint: the folder is deleted next. */
async function stopped(folder: string): Promise<void> {
  const pid = postmasterOf(folder);
  if (!pid || !alive(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await waitUntil(() => postmasterOf(folder) === undefined);
}

export function forgetPrepared(): void {
  for (const path of [prepared, program]) if (path) rmSync(dirname(path), { recursive: true });
}

/** Ends the processes that the test started. */
export async function cleanUp(): Promise<void> {
  await Promise.all(children.splice(0).map(killed));
  await Promise.all([...opened].map(stopped));
  opened.clear();
  for (const folder of parents.splice(0)) rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 200 });
}
