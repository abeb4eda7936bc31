import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './database';
import { secrets } from './schema';

export const newSecret = () => randomBytes(48).toString('base64url');

/** A secret that the shop makes for itself, once, and keeps; of several servers that start at once all get the same. */
export async function ownSecret(db: Db, name: string, value = newSecret()): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row!.value;
}
