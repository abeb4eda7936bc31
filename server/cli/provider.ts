import type { Db } from '../db/database';
import type { PaymentProvider } from '../payments/provider';
import { stripeProvider } from '../payments/stripe';
import { openSandbox } from '../adapters/openSandbox';
import type { Settings } from '../settings';

/**
 * Opens the payment provider for a command. The webhooks of the sandbox are delivered by a running server, not by the
 * command.
 */
export async function openPaymentProvider({ payments, publicUrl }: Settings, db: Db): Promise<PaymentProvider> {
  if (payments.kind === 'stripe') return stripeProvider({ secretKey: payments.secretKey });
  const sandbox = await openSandbox({ db, publicUrl, now: () => new Date(), deliver: async () => 0 });
  return stripeProvider({ secretKey: sandbox.keys.secret, fetch: sandbox.fetch });
}
