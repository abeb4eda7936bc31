import { PUBLISHABLE_KEY, type Keys } from './callers';
import { randomText } from './ids';
import type { StripeSandboxOptions } from './options';

export async function readKeys(readSecret: StripeSandboxOptions['readSecret']): Promise<Keys> {
  return {
    publishable: PUBLISHABLE_KEY,
    secret: await readSecret('sandbox_secret_key', `sk_test_${randomText(48)}`),
    webhookSecret: await readSecret('sandbox_webhook_secret', `whsec_${randomText(32)}`),
  };
}
