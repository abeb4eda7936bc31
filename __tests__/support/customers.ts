import { eq } from 'drizzle-orm';
import { users } from '../../server/db/schema';
import type { Deps } from '../../server/deps';

export interface Someone {
  id: string;
  email: string;
  token: string;
}
interface AtShop {
  deps: Pick<Deps, 'db' | 'tokens'>;
}

let count = 0;

/** A customer whom the shop knows, with an access token of ours. */
export async function newCustomer({ deps }: AtShop, given: Partial<typeof users.$inferInsert> = {}): Promise<Someone> {
  const id = `person-${process.pid}-${(count += 1)}`;
  const email = given.email ?? `${id}@mail.example`;
  await deps.db.insert(users).values({ id, email, displayName: `Person ${count}`, emailVerified: true, ...given });
  return { id, email, token: deps.tokens.issue(id) };
}

export const newAdmin = (shop: AtShop) => newCustomer(shop, { role: 'admin' });

export const bearer = ({ token }: Someone) => ({ authorization: `Bearer ${token}` });

export const demote = ({ deps }: AtShop, { id }: Someone) =>
  deps.db.update(users).set({ role: 'member' }).where(eq(users.id, id));
