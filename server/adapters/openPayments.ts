import { join } from 'node:path';
import { openStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from '../../embedded/stripe';
import type { Db } from '../db/database';
import { getOrCreateSecret } from '../db/generatedSecrets';
import { statusOfError } from '../http/problems';
import type { PaymentProvider } from '../payments/provider';
import { createStripeProvider } from '../payments/stripe';
import { findProjectRoot } from '../projectRoot';
import type { Settings } from '../settings/settings';

type SandboxOptions = Pick<StripeSandboxOptions, 'publicUrl' | 'now' | 'deliver' | 'faults'> &
  Partial<Pick<StripeSandboxOptions, 'onError'>>;

export const openSandbox = ({ db, ...options }: SandboxOptions & { db: Db }): Promise<StripeSandbox> =>
  openStripeSandbox({
    onError: () => undefined,
    ...options,
    db,
    scriptsFolder: join(findProjectRoot(), 'dist/sandbox'),
    readSecret: (name, newValue) => getOrCreateSecret(db, name, newValue),
    annotate: (request, facts) => void Object.assign(request, facts),
    statusOfError,
  });

type PaymentOptions = Omit<SandboxOptions, 'publicUrl'> & { db: Db; settings: Settings };

/** @returns the payment provider, and the sandbox in its place unless it is Stripe */
export async function openPayments({
  settings: { payments, publicUrl },
  ...options
}: PaymentOptions): Promise<{ provider: PaymentProvider; sandbox?: StripeSandbox }> {
  if (payments.kind === 'stripe') return { provider: createStripeProvider(payments) };
  const sandbox = await openSandbox({ ...options, publicUrl });
  const { secret, webhookSecret } = sandbox.keys;
  return { sandbox, provider: createStripeProvider({ secretKey: secret, webhookSecret, fetch: sandbox.fetch }) };
}

/** For a command. `deliver` does nothing, because a running server delivers the sandbox's webhooks. */
export const openProvider = async (settings: Settings, db: Db): Promise<PaymentProvider> =>
  (await openPayments({ settings, db, now: () => new Date(), deliver: async () => 0 })).provider;
