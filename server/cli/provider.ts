import type { Db } from '../db/open';
import { openSandbox } from '../../embedded/stripe';
import type { Payments } from '../providers/payments';
import { stripePayments } from '../providers/stripe';
import type { Settings } from '../settings';

/** The payment provider for a command: what the sandbox then has to tell, the server tells. */
export async function providerOf({ payments, publicUrl }: Settings, db: Db): Promise<Payments> {
  if (payments.kind === 'stripe') return stripePayments({ secretKey: payments.secretKey });
  const sandbox = await openSandbox({ db, publicUrl, now: () => new Date(), deliver: async () => 0 });
  return stripePayments({ secretKey: sandbox.keys.secret, fetch: sandbox.fetch });
}
