import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../../../embedded/postgres/binaries';
import { openDataFolder } from '../../../embedded/postgres/dataFolder';
import { createPostgresAddress, removeSocketFolder } from '../../../embedded/postgres/postgresAddress';
import { chownTree } from '../../../embedded/postgres/folders';
import { readPidFile } from '../../../embedded/postgres/pidfile';
import { startPostmaster, stopPostmaster } from '../../../embedded/postgres/postmaster';
import { SUPERUSER } from '../../../embedded/postgres/serverOptions';
import { urlOf } from '../../support/database';
import { startPostgresWithoutFsync } from '../../support/jest/postgresWithoutFsync';
import { waitUntil } from '../../support/wait';

type Connection = { host: string; port: number; user: string; database: string };

/** Files of the running primary that must not be copied with its cluster. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|standby\.signal)$/;

async function withSuperuser<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, user: SUPERUSER });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Copies the cluster of a running primary. It replaces `pg_basebackup`, which the embedded binaries lack. */
async function copyCluster(primary: Connection, from: string, to: string): Promise<void> {
  await withSuperuser(primary, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.test(basename(path)) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile);
  });
  writeFileSync(join(to, 'standby.signal'), '');
  const { host, port } = primary;
  const address = `primary_conninfo = 'host=${host} port=${port} user=${SUPERUSER}'`;
  appendFileSync(join(to, 'postgresql.auto.conf'), `${address}\nhot_standby_feedback = on\n`);
}

/** Starts a PostgreSQL and a standby that streams from it, both from the embedded binaries. */
export async function startPrimaryAndStandby() {
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'forgeline-standby-')));
  const primary = await startPostgresWithoutFsync(folders[0]!);
  const dataFolder = openDataFolder(folders[1]!, () => undefined);
  const binaries = findBinaries(dataFolder);
  mkdirSync(dataFolder.cluster, { recursive: true });
  await copyCluster(primary.connection, join(primary.folder, 'cluster'), dataFolder.cluster);
  chmodSync(dataFolder.cluster, 0o700);
  if (dataFolder.osUser) chownTree(dataFolder.folder, dataFolder.osUser);
  const address = await createPostgresAddress(dataFolder);
  const connection = { ...primary.connection, host: address.host, port: address.port };

  const query = (sql: string) => withSuperuser(connection, (client) => client.query<Record<string, unknown>>(sql));
  async function start(): Promise<void> {
    startPostmaster(binaries, dataFolder, address);
    await waitUntil(() =>
      query('select pg_is_in_recovery()').then(
        () => true,
        () => false,
      ),
    );
  }
  async function stop(): Promise<void> {
    const pid = readPidFile(dataFolder.cluster)?.pid;
    if (pid) await stopPostmaster(binaries, dataFolder, pid);
  }
  /** Suspends or continues all processes of the standby, without closing a connection. */
  function signal(name: 'STOP' | 'CONT'): void {
    const pid = readPidFile(dataFolder.cluster)!.pid;
    spawnSync('pkill', [`-${name}`, '-P', String(pid)]);
    process.kill(pid, `SIG${name}`);
  }
  await start();
  return {
    primary: { connection: primary.connection, url: urlOf(primary.connection) },
    standby: { url: urlOf(connection), query, start, stop, signal },
    async close() {
      await stop();
      await primary.stop();
      removeSocketFolder(address);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
