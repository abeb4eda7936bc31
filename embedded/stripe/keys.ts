import type { Db } from '../../server/db/database';
import { ownSecret } from '../../server/db/generatedSecrets';
import { PUBLISHABLE_KEY, type Keys } from './callers';
import { randomText } from './ids';

export async function readKeys(db: Db): Promise<Keys> {
  return {
    publishable: PUBLISHABLE_KEY,
    secret: await ownSecret(db, 'sandbox_secret_key', `sk_test_${randomText(48)}`),
    webhookSecret: await ownSecret(db, 'sandbox_webhook_secret', `whsec_${randomText(32)}`),
  };
}
