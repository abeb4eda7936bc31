import { eq, getTableColumns } from 'drizzle-orm';
import { identityAccounts, identityCodes, identityFederated, identityRefreshTokens } from './schema';
import type { Tx } from './service';

/** @returns everything this service stores about an account, without secrets */
export async function readAccountData(db: Tx, localId: string): Promise<object> {
  const { passwordHash: _, ...account } = getTableColumns(identityAccounts);
  const { tokenHash: __, ...session } = getTableColumns(identityRefreshTokens);
  const { codeHash: ___, ...code } = getTableColumns(identityCodes);
  return {
    accounts: await db.select(account).from(identityAccounts).where(eq(identityAccounts.localId, localId)),
    federated: await db.select().from(identityFederated).where(eq(identityFederated.localId, localId)),
    sessions: await db.select(session).from(identityRefreshTokens).where(eq(identityRefreshTokens.localId, localId)),
    codes: await db.select(code).from(identityCodes).where(eq(identityCodes.localId, localId)),
  };
}

/** Cascading foreign keys delete all that belongs to the account. */
export async function removeAccount(tx: Tx, localId: string): Promise<void> {
  await tx.delete(identityAccounts).where(eq(identityAccounts.localId, localId));
}
