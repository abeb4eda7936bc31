import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { PoolConfig } from 'pg';
import { DEMO_PASSWORD } from '../src/contract/demo';
import { createAccessGuards } from './auth/access';
import { buildApp, type AppOptions } from './app';
import { openCatalog } from './catalog/catalog';
import { seedDemo, hasDemoTools } from './demo/demo';
import { readDemoAccounts, seedDemoAccounts, type DemoAccount } from './demo/accounts';
import { openPool, type Db } from './db/database';
import { embeddedServicesOf } from './db/embeddedServices';
import { migrateDatabase } from './db/migrate';
import { getOrCreateSecret } from './db/generatedSecrets';
import type { Deps } from './deps';
import { openFirebaseAuth } from './adapters/openFirebaseAuth';
import { PROJECT_ID } from '../embedded/firebase-auth';
import { openPayments } from './adapters/openPayments';
import { PUBLISHABLE_KEY, type SandboxFaults } from '../embedded/stripe';
import { createIdentityVerifier, type GoogleEndpoints } from './auth/identityVerifier';
import { createDatabaseRateLimit, noRateLimit } from './http/rateLimit';
import { createLookupFailureReporter } from './auth/accountStatus';
import { Metrics } from './http/metrics';
import { addProcessMetrics } from './http/processMetrics';
import { registerMailGauge } from './mail/mailMetrics';
import { createSmtpSender } from './mail/smtp';
import { startSendingMail } from './mail/sendQueuedMail';
import { openPages } from './pages/pages';
import { createCachedResponseSender } from './http/cachedResponse';
import { readShopId, type PaymentContext } from './payments/context';
import { startSweeps } from './jobs/sweep';
import { isPublicInTestMode } from './settings/settingWarnings';
import { SettingError } from './settings/readers';
import type { Settings } from './settings/settings';
import { createAccessTokens } from './auth/accessTokens';

export interface ShopOptions {
  settings: Settings;
  connection: PoolConfig;
  logger: Logger;
  now?: () => Date;
  checkpoint?: PaymentContext['checkpoint'];
  faults?: SandboxFaults;
  google?: GoogleEndpoints;
  /** Whether to run sweeps and to send mail. The default is true. */
  backgroundJobs?: boolean;
  /** Whether to load the renderer and render the first pages. The default is true. Otherwise the first request does. */
  warmPages?: boolean;
  /** Tests use a low cost for the embedded identity's password hashes, so that signing up is fast. */
  passwordCost?: number;
  readFreeBytes?: AppOptions['readFreeBytes'];
  maxLagMs?: AppOptions['maxLagMs'];
  responseTimeoutMs?: AppOptions['responseTimeoutMs'];
  onRoute?: AppOptions['onRoute'];
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

async function prepareDatabase(db: Db, settings: Settings) {
  const { demo } = settings;
  await migrateDatabase(db, embeddedServicesOf(settings));
  if (demo) await seedDemo(db);
  const isDemo = await hasDemoTools(db);
  if (isDemo && !demo)
    throw new SettingError(
      'DEMO must not be off while this database has demo tools. Remove them with "npm run demo:clear".',
    );
  return { isDemo, shopId: await readShopId(db) };
}

/** Builds all parts of the shop on a database and starts the background work. The shop does not listen yet. */
export async function openShop({
  settings: givenSettings,
  connection,
  logger,
  now = () => new Date(),
  ...options
}: ShopOptions) {
  const closing = new AbortController();
  const reportBackgroundError = (error: unknown) => {
    if (!closing.signal.aborted) logger.error({ err: error }, 'background task failed');
  };
  const db = openPool(connection, reportBackgroundError);
  const { isDemo, shopId } = await prepareDatabase(db, givenSettings).catch(async (error) => {
    await db.$client.end();
    throw error;
  });
  // If the database has no demo tools, this is a real shop. It must not get the demo's permissions, even with DEMO=on.
  const settings = { ...givenSettings, demo: isDemo };
  const limit = settings.rateLimit ? createDatabaseRateLimit(db, now) : noRateLimit;
  const { demo, exposed, publicUrl } = settings;
  const firebaseAuth =
    settings.identity.kind === 'embedded'
      ? openFirebaseAuth({ db, limit, demo: demo && !exposed, publicUrl, now, passwordCost: options.passwordCost })
      : undefined;
  const demoAccounts = demo && firebaseAuth ? await readDemoAccounts(db, exposed) : [];
  // Runs in parallel with the rest of the start, because hashing the demo's passwords takes 0.3 s.
  const demoAccountsSeeded = firebaseAuth && seedDemoAccounts(db, firebaseAuth, demoAccounts);
  demoAccountsSeeded?.catch(() => undefined);
  const tokens = createAccessTokens(settings.accessTokenSecret ?? (await getOrCreateSecret(db, 'access-token')), now);
  const catalog = await openCatalog(db, reportBackgroundError);

  const embedded: FastifyPluginAsync[] = [];
  if (firebaseAuth) embedded.push(firebaseAuth.plugin);
  const { faults } = options;
  const { provider, sandbox } = await openPayments({
    settings,
    db,
    now,
    deliver,
    onError: reportBackgroundError,
    faults,
  });
  if (sandbox) embedded.push(sandbox.plugin);

  const metrics = new Metrics();
  const stopProcessMetrics = addProcessMetrics(metrics);
  const onLookupFailure = createLookupFailureReporter(metrics, logger, now);
  const deps: Deps = {
    settings,
    db,
    access: createAccessGuards(db, tokens, now),
    tokens,
    verifyIdToken: createIdentityVerifier(settings, {
      now,
      onLookupFailure,
      google: options.google,
      embedded: firebaseAuth && { ...firebaseAuth, projectId: PROJECT_ID },
    }),
    provider,
    shopId,
    unrecorded: new Set(),
    hasWebhooks: settings.payments.kind === 'sandbox' || settings.payments.webhookSecret !== undefined,
    catalog,
    sendCached: createCachedResponseSender(settings),
    limit,
    metrics,
    closing: closing.signal,
    now,
    checkpoint: options.checkpoint ?? (() => Promise.resolve()),
    log: logger,
  };
  const pages = openPages(deps, publicConfigOf(settings, demoAccounts));
  const { readFreeBytes, maxLagMs, responseTimeoutMs, onRoute } = options;
  const app = await buildApp({ deps, pages, embedded, logger, readFreeBytes, maxLagMs, responseTimeoutMs, onRoute });
  const { backgroundJobs = true, warmPages = true } = options;
  const stopSweeps = backgroundJobs ? startSweeps(deps) : undefined;
  registerMailGauge(metrics, db);
  const sender = settings.mail && createSmtpSender(settings.mail);
  const stopMail = backgroundJobs ? startSendingMail({ ...deps, publicUrl, sender }) : undefined;
  await app.ready();
  if (warmPages) await pages.warm();
  await demoAccountsSeeded;
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

  /** Finishes the open requests and stops the background work. Closes the database last, because both need it. */
  async function close(): Promise<void> {
    closing.abort();
    stopProcessMetrics();
    await app.close();
    await stopSweeps?.();
    await stopMail?.();
    await sandbox?.stop();
    await catalog.close();
    await db.$client.end();
  }
  return { app, deps, sandbox, demoAccounts, close };
}

/** @returns the settings that browsers need. They are in the HTML of every page. */
function publicConfigOf(settings: Settings, demoAccounts: DemoAccount[]) {
  const { identity, payments, demo, exposed, publicUrl, shipWithinDays } = settings;
  const identityConfig =
    identity.kind === 'embedded'
      ? { kind: 'embedded', projectId: PROJECT_ID, google: demo && !exposed, sendsNoMail: demo && !settings.mail }
      : { ...identity, google: true };
  const paymentConfig =
    payments.kind === 'sandbox'
      ? { kind: 'sandbox', publishableKey: PUBLISHABLE_KEY }
      : { kind: 'stripe', publishableKey: payments.publishableKey, testMode: isPublicInTestMode(settings) };
  const demoPassword = demoAccounts.find(({ password }) => password === DEMO_PASSWORD)?.password;
  return { identity: identityConfig, payments: paymentConfig, demo, demoPassword, origin: publicUrl, shipWithinDays };
}
