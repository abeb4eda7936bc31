import { randomBytes } from 'node:crypto';
import { and, eq, inArray, lte } from 'drizzle-orm';
import { identityAccounts, identityCodes } from './schema';
import type { Account } from './accounts';
import { throwIdentityError } from './identityErrors';
import type { IdentityService, LinkMail, Tx } from './service';
import { sha256 } from './sha256';

export type ActionCode = typeof identityCodes.$inferSelect;

const LIFETIME_MS = 3_600_000;
const MAX_DELETED_AT_ONCE = 100;
const MODES = { VERIFY_EMAIL: 'verifyEmail', PASSWORD_RESET: 'resetPassword' } as const;

async function deleteExpiredCodes(tx: Tx, now: Date): Promise<void> {
  const expired = tx
    .select({ codeHash: identityCodes.codeHash })
    .from(identityCodes)
    .where(lte(identityCodes.expiresAt, now))
    .limit(MAX_DELETED_AT_ONCE)
    .for('update', { skipLocked: true });
  await tx.delete(identityCodes).where(inArray(identityCodes.codeHash, expired));
}

/** Stores a new code and queues the email with its link. The other codes of the account still work. */
export async function mailCode(
  { db, now, publicUrl, sendMail }: IdentityService,
  { requestType, localId, email }: Pick<Account, 'localId'> & Pick<LinkMail, 'requestType' | 'email'>,
  continueUrl: string | undefined,
): Promise<void> {
  const code = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({ mode: MODES[requestType], oobCode: code, ...(continueUrl && { continueUrl }) });
  const expiresAt = new Date(now().getTime() + LIFETIME_MS);
  await db.transaction(async (tx) => {
    await deleteExpiredCodes(tx, now());
    await tx.insert(identityCodes).values({ codeHash: sha256(code), requestType, localId, email, expiresAt });
    await sendMail(tx, { requestType, email, link: `${publicUrl}/__/auth/action?${query}`, expiresAt });
  });
}

export async function requireCode({ db, now }: IdentityService, code: string): Promise<ActionCode> {
  const [found] = await db
    .select()
    .from(identityCodes)
    .where(eq(identityCodes.codeHash, sha256(code)));
  if (!found) throwIdentityError('INVALID_OOB_CODE');
  if (found.expiresAt <= now()) throwIdentityError('EXPIRED_OOB_CODE');
  return found;
}

/**
 * Uses up the code and changes its account. The account is locked first, as everywhere, so that two requests with one
 * code cannot deadlock. Only one of them finds the code.
 */
export async function applyCode(
  tx: Tx,
  { codeHash, localId, email }: ActionCode,
  changes: Partial<typeof identityAccounts.$inferInsert>,
): Promise<Account> {
  const [account] = await tx
    .update(identityAccounts)
    .set({ ...changes, emailVerified: true })
    .where(and(eq(identityAccounts.localId, localId), eq(identityAccounts.email, email)))
    .returning();
  const used = await tx.delete(identityCodes).where(eq(identityCodes.codeHash, codeHash)).returning();
  if (!account || used.length === 0) throwIdentityError('INVALID_OOB_CODE');
  return account;
}
