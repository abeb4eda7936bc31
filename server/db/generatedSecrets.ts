import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './database';
import { secrets } from './schema';

export const generateSecret = () => randomBytes(48).toString('base64url');

/** If several servers start at the same time, all of them get the secret that was stored first. */
export async function getOrCreateSecret(db: Db, name: string, value = generateSecret()): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row!.value;
}
