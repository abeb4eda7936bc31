import { eq } from 'drizzle-orm';
import type { Db } from '../../db/open';
import { secrets } from '../../db/schema';
import type { Keys } from './callers';
import { randomText } from './ids';

/** Made by whichever server comes first, and then the same for all of them. */
async function keptSecret(db: Db, name: string, made: string): Promise<string> {
  await db.insert(secrets).values({ name, value: made }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row?.value ?? made;
}

export async function readKeys(db: Db): Promise<Keys> {
  return {
    publishable: 'pk_test_forgeline',
    secret: await keptSecret(db, 'sandbox_secret_key', `sk_test_${randomText(48)}`),
    webhookSecret: await keptSecret(db, 'sandbox_webhook_secret', `whsec_${randomText(32)}`),
  };
}
