import { Writable } from 'node:stream';
import pino from 'pino';
import { readSettings } from '../../server/settings';
import { openShop, type ShopOptions } from '../../server/shop';
import { callShop, putUser } from './api';
import { freshDatabase } from './database';
import { claimsOf, FIREBASE_ENV, signed, startGoogle } from './googleTokens';
import { CHEAP_PASSWORDS } from './identity';
import { freePort } from './server';

/** Test and server share one process, which also compiles the sources. */
export const A_TEST_KEEPS_ITS_SERVER_WAITING_MS = 15_000;

type Options = Partial<Omit<ShopOptions, 'settings' | 'connection'>> & {
  env?: Record<string, string>;
  connection?: ShopOptions['connection'];
};

/** Starts the server in this process, on a new database unless one is given: for clocks, faults and races. */
export async function startShop({ env = {}, connection, ...options }: Options = {}) {
  const database = connection ? undefined : await freshDatabase();
  const port = await freePort();
  const settings = readSettings({ PORT: String(port), DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...env });
  const shop = await openShop({
    settings,
    connection: connection ?? database!.connection,
    logger: pino({ level: settings.logLevel }),
    sweeps: false,
    passwordCost: CHEAP_PASSWORDS,
    maxLagMs: A_TEST_KEEPS_ITS_SERVER_WAITING_MS,
    ...options,
  });
  await shop.app.listen({ port, host: '127.0.0.1' });
  const close = async () => {
    await shop.close();
    await database?.drop();
  };
  return { ...shop, origin: `http://127.0.0.1:${port}`, database, close };
}

type Claims = Record<string, unknown>;

/** Starts a shop with Firebase settings, and a Google whose answers the test sets. */
export async function startShopWithGoogle({ env, ...options }: Options = {}) {
  const google = await startGoogle();
  const shop = await startShop({ ...options, env: { ...FIREBASE_ENV, ...env }, google: google.at });
  const now = options.now ?? (() => new Date());
  const idToken = (email: string, claims: Claims = {}) => signed(claimsOf(email, now(), claims), google.key);
  const close = async () => {
    await shop.close();
    await google.stop();
  };
  return {
    ...shop,
    google,
    close,
    idToken,
    /** Signs in and returns the shop's answer. */
    arrive: async (email: string, claims: Claims = {}) => putUser(shop.origin, email, await idToken(email, claims)),
    /** Signs in and returns the shop's token. */
    async tokenOf(email: string, claims: Claims = {}) {
      const { body, status } = await putUser(shop.origin, email, await idToken(email, claims));
      if (!body.token) throw new Error(`${email} was not let in: ${status} ${body.code}`);
      return body.token;
    },
    call: (path: string, given: Parameters<typeof callShop>[2] = {}) => callShop(shop.origin, path, given),
  };
}

export type ShopWithGoogle = Awaited<ReturnType<typeof startShopWithGoogle>>;

export type LogLine = Record<string, unknown> & { msg: string };

/** A logger for a shop, and the lines that it has written. */
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

const right = performance.now.bind(performance);

/** Advances `performance.now` for the server in this process, until `jest.restoreAllMocks()`. */
export const advanceMonotonicClock = (ms: number) =>
  jest.spyOn(performance, 'now').mockImplementation(() => right() + ms);
