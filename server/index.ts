import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/contract/demo';
import { checkServer } from './db/checkServer';
import { startPostgres } from '../embedded/postgres';
import { makeLogger } from './http/logging';
import { readSettings, SettingError, type Settings } from './settings';
import { settingWarnings } from './settingWarnings';
import { freeIn, type FreeBytes } from './http/overload';

const STOP_WITHIN_MS = 10_000;
/** Whoever still sends or reads then is cut off, so that the rest of the stop has its time too. */
const CUT_OFF_AFTER_MS = 7_000;
const HEAD_START_MS = 20;

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function settingsOrEnd(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof SettingError) end(error.message);
    throw error;
  }
}

interface Database {
  connection: PoolConfig;
  freeBytes?: FreeBytes;
  stop?: () => Promise<void>;
}

async function database({ databaseUrl, dataDir }: Settings, say: (sentence: string) => void): Promise<Database> {
  if (!databaseUrl) {
    const embedded = await startPostgres(dataDir, say);
    return { ...embedded, freeBytes: freeIn(embedded.folder) };
  }
  await checkServer(databaseUrl);
  return { connection: { connectionString: databaseUrl } };
}

/** What serves is loaded while PostgreSQL, just begun, comes up on another core. */
async function loadShop() {
  await sleep(HEAD_START_MS);
  return import(/* webpackChunkName: "shop" */ './shop');
}

/** Resolves, once it answers, to what stops it. */
async function start(settings: Settings): Promise<() => Promise<void>> {
  const logger = makeLogger(settings.logLevel, process.stdout.isTTY === true);
  const [db, { openShop }] = await Promise.all([database(settings, (text) => logger.info(text)), loadShop()]);
  const stopDatabase = async () => db.stop?.();
  try {
    const shop = await openShop({ settings, connection: db.connection, logger, freeBytes: db.freeBytes });
    const stop = async () => {
      setTimeout(() => shop.app.server.closeAllConnections(), CUT_OFF_AFTER_MS).unref();
      await shop.close();
      await stopDatabase();
    };
    // The first line once it answers is the greeting, not the framework's.
    const { level } = logger;
    logger.level = 'warn';
    await shop.app.listen({ port: settings.port, host: settings.host }).catch(async (error) => {
      await shop.close();
      throw error;
    });
    logger.level = level;
    process.stdout.write(`${greeting(shop.deps.settings).join('\n')}\n`);
    for (const warning of settingWarnings(settings)) logger.warn(warning);
    return stop;
  } catch (error) {
    await stopDatabase().catch(() => undefined);
    throw error;
  }
}

function greeting({ publicUrl, identity, demo }: Settings): string[] {
  const lines = [`Forgeline is ready at ${publicUrl}`];
  if (!demo) return lines;
  lines.push('This is the demo: its tools and reviews are made up.');
  if (identity.kind !== 'embedded') return lines;
  for (const { email, admin } of DEMO_ACCOUNTS)
    lines.push(`Demo ${admin ? 'admin' : 'customer'}: ${email}, password ${DEMO_PASSWORD}`);
  return lines;
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A terminal's Ctrl-C comes to all of its processes, and once more from those that pass it on.
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
      stop().then(
        () => process.exit(0),
        (error: Error) => end(`The server did not stop cleanly: ${error.message}`),
      );
    });
}

/** A stop that comes while it starts waits until there is something to stop. */
async function main(): Promise<void> {
  const started = start(settingsOrEnd());
  stopOnSignal(async () => (await started)());
  await started;
}

const ADDRESS_TROUBLE: Record<string, string> = {
  EADDRINUSE: 'PORT is taken: something else listens there already. Set PORT to another number.',
  EACCES: 'PORT cannot be used by this user: set it to a number from 1024 up.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'HOST is not an address of this machine.',
};

main().catch((error: Error & { code?: string }) => end(ADDRESS_TROUBLE[error.code ?? ''] ?? error.message));
