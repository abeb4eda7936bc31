import type { Db } from '../db/database';
import type { Payments } from '../payments/provider';
import { stripePayments } from '../payments/stripe';
import { openSandbox } from '../adapters/openSandbox';
import type { Settings } from '../settings';

/** The payment provider for a command: what the sandbox then has to tell, the server tells. */
export async function providerOf({ payments, publicUrl }: Settings, db: Db): Promise<Payments> {
  if (payments.kind === 'stripe') return stripePayments({ secretKey: payments.secretKey });
  const sandbox = await openSandbox({ db, publicUrl, now: () => new Date(), deliver: async () => 0 });
  return stripePayments({ secretKey: sandbox.keys.secret, fetch: sandbox.fetch });
}
