import type { Db } from '../db/database';
import type { PaymentProvider } from '../payments/provider';
import { createStripeProvider } from '../payments/stripe';
import { openSandbox } from '../adapters/openSandbox';
import type { Settings } from '../settings/settings';

/**
 * Opens the payment provider for a command. `deliver` does nothing, because a running server delivers the sandbox's
 * webhooks.
 */
export async function openPaymentProvider({ payments, publicUrl }: Settings, db: Db): Promise<PaymentProvider> {
  if (payments.kind === 'stripe') return createStripeProvider({ secretKey: payments.secretKey });
  const sandbox = await openSandbox({ db, publicUrl, now: () => new Date(), deliver: async () => 0 });
  return createStripeProvider({ secretKey: sandbox.keys.secret, fetch: sandbox.fetch });
}
