import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { checkDatabaseServer } from './db/checkDatabaseServer';
import { startPostgres } from '../embedded/postgres';
import { openLogFile } from './http/logFile';
import { createLogger, openLogOutput } from './http/logging';
import { SettingError } from './settings/readers';
import { readSettings, type Settings } from './settings/settings';
import type { Shop } from './shop';
import { listSettingWarnings } from './settings/settingWarnings';
import { createFreeBytesReader, type ReadFreeBytes } from './http/overload';

const STOP_TIMEOUT_MS = 10_000;
/** Requests that are still open after this time are cut off. That leaves 3 seconds to close the database. */
const CLOSE_CONNECTIONS_AFTER_MS = 7_000;
const POSTGRES_HEAD_START_MS = 20;

function exitWithError(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readSettingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof SettingError) exitWithError(error.message);
    throw error;
  }
}

interface Database {
  connection: PoolConfig;
  readFreeBytes?: ReadFreeBytes;
  stop?: () => Promise<void>;
}

async function openDatabase(settings: Settings, log: (message: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  if (!databaseUrl) {
    const embedded = await startPostgres(dataDir, log);
    return { ...embedded, readFreeBytes: createFreeBytesReader(embedded.folder) };
  }
  await checkDatabaseServer(databaseUrl);
  return { connection: { connectionString: databaseUrl } };
}

/** Loads the shop's code while PostgreSQL starts. PostgreSQL gets a head start, because it takes longer. */
async function loadShop() {
  await sleep(POSTGRES_HEAD_START_MS);
  return import(/* webpackChunkName: "shop" */ './shop');
}

/**
 * Resolves once the server listens.
 * @returns a function that stops the server
 */
async function start(settings: Settings): Promise<() => Promise<void>> {
  const output = openLogOutput(process.stdout.isTTY === true);
  const logger = createLogger(settings.logLevel, output);
  const [db, { openShop }] = await Promise.all([openDatabase(settings, (text) => logger.info(text)), loadShop()]);
  const stopDatabase = async () => db.stop?.();
  // The folder exists now, because starting the embedded database has created it.
  if (!settings.databaseUrl) output.add({ level: 'trace', stream: openLogFile(settings.dataDir) });
  try {
    const shop = await openShop({ settings, connection: db.connection, logger, readFreeBytes: db.readFreeBytes });
    const stop = async () => {
      setTimeout(() => shop.app.server.closeAllConnections(), CLOSE_CONNECTIONS_AFTER_MS).unref();
      await shop.close();
      await stopDatabase();
    };
    // The ready line must come first, because operators wait for it. At level `info`, Fastify would log a line before
    // it.
    const { level } = logger;
    logger.level = 'warn';
    await shop.app.listen({ port: settings.port, host: settings.host }).catch(async (error) => {
      await shop.close();
      throw error;
    });
    logger.level = level;
    process.stdout.write(`${listReadyLines(shop).join('\n')}\n`);
    for (const warning of listSettingWarnings(settings)) logger.warn(warning);
    return stop;
  } catch (error) {
    await stopDatabase().catch(() => undefined);
    throw error;
  }
}

function listReadyLines({ deps, demoAccounts }: Shop): string[] {
  const { publicUrl, demo } = deps.settings;
  return [
    `Forgeline is ready at ${publicUrl}`,
    ...(demo ? ['This is the demo: its tools and reviews are made up.'] : []),
    ...demoAccounts.map(
      ({ email, admin, password }) => `Demo ${admin ? 'admin' : 'customer'}: ${email}, password ${password}`,
    ),
  ];
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // One Ctrl-C can arrive twice: the terminal sends the signal to all processes, and `npm start` also passes it on.
      // So a second signal is ignored.
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
      stop().then(
        () => process.exit(0),
        (error: Error) => exitWithError(`The server did not stop cleanly: ${error.message}`),
      );
    });
}

/** If a signal arrives during the start, the server first completes the start and then stops. */
async function main(): Promise<void> {
  const started = start(readSettingsOrExit());
  stopOnSignals(async () => (await started)());
  await started;
}

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'PORT is already in use by another program. Set PORT to another number.',
  EACCES: 'PORT needs more rights than this user has. Set PORT to a number from 1024 to 65535.',
  EADDRNOTAVAIL: 'HOST must be an IP address of this machine or a name that resolves to one.',
  ENOTFOUND: 'HOST must be an IP address of this machine or a name that resolves to one.',
};

main().catch((error: Error & { code?: string }) => exitWithError(LISTEN_ERRORS[error.code ?? ''] ?? error.message));
