import type { Db } from '../../server/db/database';
import { normaliseEmail } from '../../server/auth/emailAddress';
import { accountOfEmail, insertAccount } from './accounts';
import { hashPassword } from './passwords';

interface NewAccount {
  email: string;
  password: string;
  displayName: string;
  emailVerified: boolean;
}

/** Creates an account if the address has none; what is there already stays as it is. */
export async function ensureAccount(
  db: Db,
  { password, ...account }: NewAccount,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<void> {
  const email = normaliseEmail(account.email);
  if (!email) throw new Error(`not an email address: ${account.email}`);
  if (await accountOfEmail(db, email)) return;
  await insertAccount(db, { ...account, email, passwordHash: await hash(password) }, new Date());
}
