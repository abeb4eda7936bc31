import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './database';
import { secrets } from './schema';

/** The name of the secret that distinguishes this shop from a copy of it. */
export const SHOP_NAME = 'shop-name';

export const generateSecret = () => randomBytes(48).toString('base64url');

/** Stores a generated secret once. Servers that start at the same time all get the same one. */
export async function getOrCreateSecret(db: Db, name: string, value = generateSecret()): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row!.value;
}
