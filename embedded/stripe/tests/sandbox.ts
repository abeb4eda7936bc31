import Fastify, { type FastifyInstance } from 'fastify';
import Stripe from 'stripe';
import { openPool } from '../../../server/db/database';
import { openSandbox } from '../../../server/adapters/openPayments';
import type { SandboxFaults, StripeSandbox } from '..';
import { createTestDatabase, type TestDatabase } from '../../../__tests__/support/database';

interface SandboxTestOptions {
  /** The database of an earlier sandbox, for tests of a restart. */
  connection?: TestDatabase['connection'];
  faults?: SandboxFaults;
  now?: () => Date;
  deliver?: (rawBody: string, signature: string) => Promise<number>;
  /** Adds pages to the sandbox's server. */
  pages?: (app: FastifyInstance) => void;
}

/** Starts the sandbox over HTTP and in this process, and connects Stripe's server SDK to it. */
export async function startSandbox({ connection, deliver = async () => 200, ...options }: SandboxTestOptions = {}) {
  const database = connection ? undefined : await createTestDatabase();
  const poolConfig = connection ?? database!.connection;
  const db = openPool(poolConfig, () => undefined);
  const now = options.now ?? (() => new Date());
  const sandbox = await openSandbox({ db, now, deliver, publicUrl: 'http://localhost:3000', faults: options.faults });
  const app = Fastify();
  options.pages?.(app);
  await app.register(sandbox.plugin);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = async () => {
    await app.close();
    await sandbox.stop();
    await db.$client.end();
  };
  const close = async () => {
    await stop();
    await database?.drop();
  };
  return { sandbox, db, app, origin, connection: poolConfig, stripe: createStripeSdk(sandbox), stop, close };
}

export function createStripeSdk(sandbox: StripeSandbox, maxNetworkRetries = 0): Stripe {
  const httpClient = Stripe.createFetchHttpClient(sandbox.fetch);
  return new Stripe(sandbox.keys.secret, { httpClient, maxNetworkRetries, telemetry: false });
}

export async function createPaymentMethod(stripe: Stripe, number: string): Promise<string> {
  const card = { number, exp_month: 12, exp_year: new Date().getFullYear() + 5, cvc: '123' };
  const method = await stripe.paymentMethods.create({ type: 'card', card, billing_details: { name: 'Ann Lee' } });
  return method.id;
}

export function newIntent(stripe: Stripe, amount = 2400, idempotencyKey?: string) {
  const params = { amount, currency: 'usd', payment_method_types: ['card'], metadata: { order_id: 'o1' } };
  return stripe.paymentIntents.create(params, idempotencyKey ? { idempotencyKey } : {});
}

export async function pay(stripe: Stripe, intentId: string, number: string) {
  return stripe.paymentIntents.confirm(intentId, { payment_method: await createPaymentMethod(stripe, number) });
}

/** @returns the error that the SDK throws */
export async function stripeErrorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The Stripe call succeeded, but should have failed.');
}

export async function callAsBrowser(
  origin: string,
  method: 'GET' | 'POST',
  path: string,
  params: Record<string, string> = {},
) {
  const form = new URLSearchParams(params);
  const url = method === 'GET' ? `${origin}${path}?${form}` : `${origin}${path}`;
  const headers = { authorization: 'Bearer pk_test_forgeline' };
  const response = await fetch(url, { method, headers, ...(method === 'POST' ? { body: form } : {}) });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown> & { error?: Stripe.StripeRawError },
  };
}
