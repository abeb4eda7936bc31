import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { PoolConfig } from 'pg';
import { makeAccess } from './auth/access';
import { buildApp, type AppParts } from './app';
import { openCatalog } from './catalog/catalog';
import { seedDemo, sellsDemoTools } from './demo/demo';
import { seedDemoAccounts } from './demo/accounts';
import { openPool, type Db } from './db/database';
import { migrateDatabase } from './db/migrate';
import { ownSecret } from './db/generatedSecrets';
import type { Deps } from './deps';
import { openFirebaseAuth } from './adapters/openFirebaseAuth';
import { PROJECT_ID } from '../embedded/firebase-auth';
import { openSandbox } from './adapters/openSandbox';
import { PUBLISHABLE_KEY, type SandboxFaults, type StripeSandbox } from '../embedded/stripe';
import { identityVerifier, type GoogleAt } from './auth/identityVerifier';
import { databaseRateLimit, noRateLimit } from './http/rateLimit';
import { lookUpFailures } from './auth/accountStatus';
import { Metrics } from './http/metrics';
import { addProcessMetrics } from './http/processMetrics';
import { openPages } from './pages/pages';
import { cachedResponseSender } from './http/cachedResponse';
import { readShopId, type PaymentContext } from './payments/context';
import { HANDLED_EVENT_TYPES } from './payments/webhook';
import { startSweeps } from './payments/sweep';
import { stripeProvider } from './payments/stripe';
import { sellsInTestMode } from './settingWarnings';
import { SettingError, type Settings } from './settings';
import { accessTokens } from './auth/accessTokens';

export interface ShopOptions {
  settings: Settings;
  connection: PoolConfig;
  logger: Logger;
  now?: () => Date;
  checkpoint?: PaymentContext['checkpoint'];
  faults?: SandboxFaults;
  google?: GoogleAt;
  sweeps?: boolean;
  /** The cost of the embedded identity's password hashes. Tests lower it. */
  passwordCost?: number;
  freeBytes?: AppParts['freeBytes'];
  maxLagMs?: AppParts['maxLagMs'];
  answerWithinMs?: AppParts['answerWithinMs'];
  onRoute?: AppParts['onRoute'];
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** @returns whether this shop is the demo: a shop with tools of its own is not */
async function prepare(db: Db, { demo }: Settings): Promise<boolean> {
  await migrateDatabase(db);
  if (demo) await seedDemo(db);
  const isDemo = await sellsDemoTools(db);
  if (isDemo && !demo)
    throw new SettingError(
      'DEMO=off, but this database still sells demo tools: take them out with "npm run demo:clear".',
    );
  return isDemo;
}

/** The whole shop on a database, ready to listen. */
export async function openShop({
  settings: given,
  connection,
  logger,
  now = () => new Date(),
  ...options
}: ShopOptions) {
  const closing = new AbortController();
  const trouble = (error: unknown) => {
    if (!closing.signal.aborted) logger.error({ err: error }, 'trouble in the background');
  };
  const db = openPool(connection, trouble);
  const isDemo = await prepare(db, given).catch(async (error) => {
    await db.$client.end();
    throw error;
  });
  /** What the demo alone allows ends when the shop has tools of its own. */
  const settings = { ...given, demo: isDemo };
  const limit = settings.rateLimit ? databaseRateLimit(db, now) : noRateLimit;
  const { demo, publicUrl } = settings;
  const firebaseAuth =
    settings.identity.kind === 'embedded'
      ? openFirebaseAuth({ db, limit, demo, publicUrl, now, passwordCost: options.passwordCost })
      : undefined;
  // Their password takes a third of a second to hash: the rest of the start goes on meanwhile.
  const demoAccounts = demo && firebaseAuth ? seedDemoAccounts(db, firebaseAuth) : undefined;
  demoAccounts?.catch(() => undefined);
  const tokens = accessTokens(settings.accessTokenSecret ?? (await ownSecret(db, 'access-token')), now);
  const catalogue = await openCatalog(db, trouble);

  const embedded: FastifyPluginAsync[] = [];
  if (firebaseAuth) embedded.push(firebaseAuth.plugin);
  let sandbox: StripeSandbox | undefined;
  if (settings.payments.kind === 'sandbox') {
    sandbox = await openSandbox({
      db,
      publicUrl: settings.publicUrl,
      now,
      deliver,
      wantedEvents: HANDLED_EVENT_TYPES,
      onError: trouble,
      faults: options.faults,
    });
    embedded.push(sandbox.plugin);
  }

  const metrics = new Metrics();
  const stopProcessMetrics = addProcessMetrics(metrics);
  const onLookUpFailure = lookUpFailures(metrics, logger, now);
  const deps: Deps = {
    settings,
    db,
    access: makeAccess(db, tokens, now),
    tokens,
    identity: identityVerifier(settings, {
      now,
      onLookUpFailure,
      google: options.google,
      embedded: firebaseAuth && { ...firebaseAuth, projectId: PROJECT_ID },
    }),
    provider: providerOf(settings, sandbox),
    shopId: await readShopId(db),
    unrecorded: new Set(),
    webhooks:
      sandbox !== undefined || (settings.payments.kind === 'stripe' && settings.payments.webhookSecret !== undefined),
    catalog: catalogue,
    sendCached: cachedResponseSender(settings),
    limit,
    metrics,
    closing: closing.signal,
    now,
    checkpoint: options.checkpoint ?? (() => Promise.resolve()),
    log: logger,
  };
  const pages = openPages(deps, publicConfig(settings), trouble);
  const { freeBytes, maxLagMs, answerWithinMs, onRoute } = options;
  const app = await buildApp({ deps, pages, embedded, logger, freeBytes, maxLagMs, answerWithinMs, onRoute });
  const stopSweeps = options.sweeps === false ? undefined : startSweeps(deps);
  await app.ready();
  await pages.warm();
  await demoAccounts;
  sandbox?.start();

  async function deliver(rawBody: string, signature: string): Promise<number> {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/webhooks/stripe',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: rawBody,
    });
    return statusCode;
  }

  /** What is under way is finished first; then whoever works in the background; the database last. */
  async function close(): Promise<void> {
    closing.abort();
    stopProcessMetrics();
    await app.close();
    await stopSweeps?.();
    await sandbox?.stop();
    await catalogue.close();
    await db.$client.end();
  }
  return { app, deps, sandbox, close };
}

/** The settings that every page may know. They are in its HTML. */
function publicConfig(settings: Settings) {
  const { identity, payments, demo, publicUrl } = settings;
  const who =
    identity.kind === 'embedded'
      ? { kind: 'embedded', projectId: PROJECT_ID, google: demo }
      : { ...identity, google: true };
  const pay =
    payments.kind === 'sandbox'
      ? { kind: 'sandbox', publishableKey: PUBLISHABLE_KEY }
      : { kind: 'stripe', publishableKey: payments.publishableKey, testMode: sellsInTestMode(settings) };
  return { identity: who, payments: pay, demo, origin: publicUrl };
}

function providerOf({ payments }: Settings, sandbox: StripeSandbox | undefined) {
  if (payments.kind === 'stripe')
    return stripeProvider({ secretKey: payments.secretKey, webhookSecret: payments.webhookSecret });
  return stripeProvider({
    secretKey: sandbox!.keys.secret,
    webhookSecret: sandbox!.keys.webhookSecret,
    fetch: sandbox!.fetch,
  });
}
