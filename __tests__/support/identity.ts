import { and, desc, eq } from 'drizzle-orm';
import Fastify from 'fastify';
import { openPool, type Db } from '../../server/db/database';
import { mails } from '../../server/db/schema';
import { openFirebaseAuth } from '../../server/adapters/openFirebaseAuth';
import { noRateLimit } from '../../server/http/rateLimit';
import { callAccounts, type IdentityResponse } from './customers';
import { createTestDatabase } from './database';

/** Creates a migrated, empty database and opens a pool of connections to it. */
export async function openTestDatabase(max = 10) {
  const database = await createTestDatabase();
  const db = openPool(database.connection, () => undefined, max);
  const close = async () => {
    await db.$client.end();
    await database.drop();
  };
  return { ...database, db, close };
}

/** The base-2 logarithm of the scrypt cost. Production uses 17, which is too slow for tests. */
export const CHEAP_PASSWORD_COST = 10;

/** Starts the embedded identity service alone, with the shop's options, on a port of its own. */
export async function startIdentity(options: Partial<Parameters<typeof openFirebaseAuth>[0]> = {}) {
  const ownDatabase = options.db ? undefined : await openTestDatabase();
  const db = options.db ?? ownDatabase!.db;
  const app = Fastify({ trustProxy: '127.0.0.1' });
  const defaults = {
    demo: true,
    publicUrl: 'http://shop.example',
    now: () => new Date(),
    limit: noRateLimit,
    passwordCost: CHEAP_PASSWORD_COST,
    ...options,
  };
  const identity = openFirebaseAuth({ ...defaults, db });
  await app.register(identity.plugin);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await app.close();
    await ownDatabase?.close();
  };
  return { url, db, identity, stop };
}

/** Reads the newest link that was mailed to this email, from the outbox. */
export async function findMailedLink(db: Db, email: string, kind: 'verify email' | 'reset password'): Promise<URL> {
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, email), eq(mails.kind, kind)))
    .orderBy(desc(mails.id))
    .limit(1);
  return new URL(mail!.link!);
}

export const codeOf = (link: URL) => link.searchParams.get('oobCode')!;

export async function refreshIdToken(url: string, form: Record<string, string>) {
  const target = `${url}/securetoken.googleapis.com/v1/token?key=any`;
  const response = await fetch(target, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as IdentityResponse };
}

export async function createGoogleCredential(url: string, email: string, displayName: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, displayName });
  const response = await fetch(`${url}/identity/google/credential`, { method: 'POST', headers, body });
  return ((await response.json()) as { idToken: string }).idToken;
}

export const signInWithGoogle = (url: string, credential: string) =>
  callAccounts(url, 'signInWithIdp', {
    requestUri: 'http://localhost',
    postBody: `id_token=${encodeURIComponent(credential)}&providerId=google.com`,
    returnSecureToken: true,
  });
