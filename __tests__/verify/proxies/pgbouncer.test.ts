import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { checkDatabaseServer } from '../../../server/db/checkDatabaseServer';
import { SESSION_SETTINGS } from '../../../server/db/database';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startPostgresProxy } from '../../support/postgresProxy';
import { freePort, startServer } from '../../support/server';

/** The project's setup does not install PgBouncer. These tests run only where it is installed. */
const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

const IGNORE_OPTIONS = 'ignore_startup_parameters = options';

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  // PgBouncer runs as another user, which cannot open the Unix socket of the database. The proxy listens on TCP.
  proxy = await startPostgresProxy(database.url, {});
  folder = mkdtempSync(join(tmpdir(), 'forgeline-pgbouncer-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await proxy.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs PgBouncer in front of the database during `work`. */
async function withPgBouncer<T>(settings: string, work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const target = new URL(proxy.url);
  const password = target.password ? ` password=${decodeURIComponent(target.password)}` : '';
  const file = join(folder, `${port}.ini`);
  writeFileSync(
    file,
    `[databases]
shop = host=${target.hostname} port=${target.port} dbname=${target.pathname.slice(1)} user=${target.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
${settings}
`,
  );
  const asRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(asRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up')) resolve();
    });
    void exited.then(() => reject(new Error(log)));
  });
  try {
    return await work(`postgres://shop@127.0.0.1:${port}/shop`);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

const sentenceFor = (settings: string) =>
  withPgBouncer(settings, (url) =>
    checkDatabaseServer(url).then(
      () => 'The database is accepted.',
      (error: Error) => error.message,
    ),
  );

/** Stores the session settings in the database, because PgBouncer does not pass them on. */
async function storeSettings() {
  const client = new Client(database.connection);
  await client.connect();
  for (const [name, value] of Object.entries(SESSION_SETTINGS))
    await client.query(`alter database ${database.connection.database} set ${name} = '${value}'`);
  await client.end();
}

(hasPgBouncer ? describe : describe.skip)('When a server starts,', () => {
  it("PgBouncer with its default configuration is refused, because it rejects the shop's session settings", async () => {
    expect(await sentenceFor('pool_mode = session')).toBe(
      'DATABASE_URL names a database that cannot be used: unsupported startup parameter: options. ' +
        'Connect to PostgreSQL without a connection pooler.',
    );
  });

  it("PgBouncer is refused if it ignores the shop's session settings", async () => {
    expect(await sentenceFor(`pool_mode = session\n${IGNORE_OPTIONS}`)).toMatch(
      /ignores the settings that the shop sends when it connects: lock_timeout is 0 instead of 3s\./,
    );
  });

  describe('in front of a database that stores the session settings itself,', () => {
    beforeAll(storeSettings);

    it('PgBouncer with transaction pooling is refused', async () => {
      expect(await sentenceFor(`pool_mode = transaction\n${IGNORE_OPTIONS}`)).toMatch(
        /a connection pooler that shares sessions\. Change it to session pooling, or connect to PostgreSQL itself\.$/,
      );
    });

    it('PgBouncer with session pooling is accepted', async () => {
      const status = await withPgBouncer(`pool_mode = session\n${IGNORE_OPTIONS}`, async (url) => {
        const server = await startServer({ DATABASE_URL: url });
        const response = await fetch(`${server.origin}/readyz`);
        await server.stop();
        return response.status;
      });
      expect(status).toBe(200);
    });
  });
});
