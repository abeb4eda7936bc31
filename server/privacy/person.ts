import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { users } from '../db/schema';

export interface Person {
  id: string;
  /** A person is a user id. The email belongs to whoever signed in with it last. */
  email: string;
  displayName: string;
  role: (typeof users.$inferSelect)['role'];
  /** The ids of their payments at the provider. */
  intentIds: string[];
}

/** An embedded service, which stores data of its own about a person. */
export interface PersonalDataService {
  name: string;
  read(db: Db | Tx, person: Person): Promise<unknown>;
  erase(tx: Tx, person: Person): Promise<void>;
}

async function findIntentIds(db: Db | Tx, ownerId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select intent_id as id from payment_attempts where intent_id is not null
      and order_id in (select id from orders where owner_id = ${ownerId})
    union select intent_id from payments where order_id in (select id from orders where owner_id = ${ownerId})`);
  return rows.map(({ id }) => id);
}

export async function findPerson(db: Db | Tx, email: string): Promise<Person | undefined> {
  const { id, displayName, role } = users;
  const [user] = await db.select({ id, displayName, role }).from(users).where(eq(users.email, email));
  return user && { ...user, email, intentIds: await findIntentIds(db, user.id) };
}
