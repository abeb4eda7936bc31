import { Writable } from 'node:stream';
import pino from 'pino';
import Stripe from 'stripe';
import { readSettings } from '../../server/settings/settings';
import { openShop, type ShopOptions } from '../../server/shop';
import { callShop, putUser } from './api';
import { createTestDatabase } from './database';
import { claimsOf, FIREBASE_ENV, signToken, startGoogle } from './googleTokens';
import { CHEAP_PASSWORD_COST } from './identity';
import { freePort } from './server';

/** Without these limits, a slow machine cannot cause a 503. */
const WITHOUT_TIME_LIMITS = { maxLagMs: Infinity, responseTimeoutMs: 600_000 };

/** Stripe's SDK retries without a pause. */
Object.assign(Object.getPrototypeOf(new Stripe('sk_test_any')) as object, {
  getInitialNetworkRetryDelay: () => 0,
  getMaxNetworkRetryDelay: () => 0,
});

type Options = Partial<Omit<ShopOptions, 'settings' | 'connection'>> & {
  env?: Record<string, string>;
  connection?: ShopOptions['connection'];
};

/** Starts the server in this process, so that a test can set its clock and cause faults and races. */
export async function startShop({ env = {}, connection, ...options }: Options = {}) {
  const database = connection ? undefined : await createTestDatabase();
  const defaults = {
    PORT: env['PORT'] ?? String(await freePort()),
    DEMO: 'off',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  };
  const settings = readSettings({ ...defaults, ...env });
  const shop = await openShop({
    settings,
    connection: connection ?? database!.connection,
    logger: pino({ level: settings.logLevel }),
    backgroundJobs: false,
    warmPages: false,
    passwordCost: CHEAP_PASSWORD_COST,
    ...WITHOUT_TIME_LIMITS,
    ...options,
  });
  await shop.app.listen({ port: settings.port, host: '127.0.0.1' });
  const close = async () => {
    await shop.close();
    await database?.drop();
  };
  return { ...shop, origin: `http://127.0.0.1:${settings.port}`, database, close };
}

type Claims = Record<string, unknown>;

/** Starts a shop with Firebase settings, and a local Google whose responses the test sets. */
export async function startShopWithGoogle({ env, ...options }: Options = {}) {
  const google = await startGoogle();
  const shop = await startShop({ ...options, env: { ...FIREBASE_ENV, ...env }, google: google.endpoints });
  const now = options.now ?? (() => new Date());
  const idToken = (email: string, claims: Claims = {}) => signToken(claimsOf(email, now(), claims), google.key);
  const close = async () => {
    await shop.close();
    await google.stop();
  };
  return {
    ...shop,
    google,
    close,
    idToken,
    signIn: async (email: string, claims: Claims = {}) => putUser(shop.origin, email, await idToken(email, claims)),
    /** @returns the shop's access token */
    async signInForToken(email: string, claims: Claims = {}) {
      const { body, status } = await putUser(shop.origin, email, await idToken(email, claims));
      if (!body.token) throw new Error(`${email} could not sign in: ${status} ${body.code}`);
      return body.token;
    },
    call: (path: string, options: Parameters<typeof callShop>[2] = {}) => callShop(shop.origin, path, options),
  };
}

export type ShopWithGoogle = Awaited<ReturnType<typeof startShopWithGoogle>>;

type LogLine = Record<string, unknown> & { msg: string };

/** Creates a logger for a shop and collects the lines that it writes. */
export function collectLog() {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line) as LogLine);
      done();
    },
  });
  return { logger: pino(sink), lines, linesOf: (msg: string) => lines.filter((line) => line.msg === msg) };
}

const realNow = performance.now.bind(performance);

/** Advances `performance.now` for the server in this process, until `jest.restoreAllMocks()`. */
export const advanceMonotonicClock = (ms: number) =>
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);
