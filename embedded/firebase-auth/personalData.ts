import { eq, getTableColumns, inArray, or } from 'drizzle-orm';
import { identityAccounts, identityCodes, identityFederated, identityRefreshTokens } from './schema';
import type { Tx } from './service';

/** After the application has moved to another identity provider, only the email leads to the account. */
export interface AccountOwner {
  id: string;
  email: string;
}
const isOf = ({ id, email }: AccountOwner) => or(eq(identityAccounts.localId, id), eq(identityAccounts.email, email));

/** @returns everything this service stores about a person's accounts, without secrets */
export async function readAccountData(db: Tx, owner: AccountOwner): Promise<object> {
  const { passwordHash: _, ...account } = getTableColumns(identityAccounts);
  const { tokenHash: __, ...session } = getTableColumns(identityRefreshTokens);
  const { codeHash: ___, ...code } = getTableColumns(identityCodes);
  const ids = db.select({ id: identityAccounts.localId }).from(identityAccounts).where(isOf(owner));
  return {
    accounts: await db.select(account).from(identityAccounts).where(isOf(owner)),
    federated: await db.select().from(identityFederated).where(inArray(identityFederated.localId, ids)),
    sessions: await db.select(session).from(identityRefreshTokens).where(inArray(identityRefreshTokens.localId, ids)),
    codes: await db.select(code).from(identityCodes).where(inArray(identityCodes.localId, ids)),
  };
}

/** Cascading foreign keys delete all that belongs to the accounts. */
export async function removeAccountsOf(tx: Tx, owner: AccountOwner): Promise<void> {
  await tx.delete(identityAccounts).where(isOf(owner));
}
