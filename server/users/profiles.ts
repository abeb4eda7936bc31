import { eq, getTableColumns } from 'drizzle-orm';
import type { Profile } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import { callerTransaction } from '../auth/callerTransaction';
import type { Db } from '../db/database';
import { profiles, users } from '../db/schema';

type Fields = Omit<Profile, 'email'>;

export async function saveProfile(db: Db, user: CallerAccount, fields: Fields): Promise<void> {
  await callerTransaction(db, user, (tx) =>
    tx
      .insert(profiles)
      .values({ userId: user.id, ...fields })
      .onConflictDoUpdate({ target: profiles.userId, set: fields }),
  );
}

const BLANK: Fields = { address: '', education: '', phone: '', linkedIn: '' };

/** @returns empty fields for a user who never saved a profile, and undefined if no user has this email */
export async function readProfile(db: Db, email: string): Promise<Fields | undefined> {
  const { userId: _, ...columns } = getTableColumns(profiles);
  const [row] = await db
    .select({ id: users.id, saved: columns })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(eq(users.email, email));
  return row && (row.saved ?? BLANK);
}
