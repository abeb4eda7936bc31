import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './database';
import { secrets } from './schema';

export const generateSecret = (bytes = 48) => randomBytes(bytes).toString('base64url');

export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row?.value;
}

/** If several servers start at the same time, all of them get the secret that was stored first. */
export async function getOrCreateSecret(db: Db, name: string, value = generateSecret()): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  return (await findSecret(db, name))!;
}
