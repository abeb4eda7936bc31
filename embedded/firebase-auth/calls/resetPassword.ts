import { eq } from 'drizzle-orm';
import { findAccountById, type Account } from '../accounts';
import { applyCode, requireCode, type ActionCode } from '../actionCodes';
import { readText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { hashPassword, passwordMatches, requireStrongPassword } from '../passwords';
import { identityAccounts } from '../schema';
import type { IdentityCallHandler, IdentityService, Tx } from '../service';
import { endSessions } from '../sessions';

type PasswordChange = Pick<Account, 'passwordHash' | 'validSince'>;

/** Stores the password and ends all sessions of the account. */
async function storePassword(
  service: IdentityService,
  localId: string,
  password: string,
  store: (tx: Tx, change: PasswordChange) => PromiseLike<unknown>,
): Promise<void> {
  const passwordHash = await hashPassword(password, service.passwordCost);
  const now = service.now();
  await service.db.transaction(async (tx) => {
    await store(tx, { passwordHash, validSince: now });
    await endSessions(tx, localId, now);
    await service.endAppSessions?.(tx, localId, now);
  });
}

/** Also verifies the email, because only its owner has the link. */
async function setPassword(service: IdentityService, code: ActionCode, newPassword: string): Promise<void> {
  if (code.requestType !== 'PASSWORD_RESET') throwIdentityError('INVALID_OOB_CODE');
  const password = await requireStrongPassword(service, newPassword);
  await storePassword(service, code.localId, password, (tx, change) => applyCode(tx, code, change));
}

export async function replacePassword(service: IdentityService, id: string, from: string, to: string): Promise<void> {
  const account = await findAccountById(service.db, id);
  if (!(await passwordMatches(from, account?.passwordHash, service.passwordCost))) return;
  await storePassword(service, id, to, (tx, change) =>
    tx.update(identityAccounts).set(change).where(eq(identityAccounts.localId, id)),
  );
}

/** Without a new password, only checks the code. */
export const resetPassword: IdentityCallHandler = async (service, body, _network, report) => {
  const code = await requireCode(service, readText(body, 'oobCode') || throwIdentityError('MISSING_OOB_CODE'));
  const newPassword = readText(body, 'newPassword');
  if (newPassword) {
    await setPassword(service, code, newPassword);
    report('session ended', { userId: code.localId });
  }
  return { kind: 'identitytoolkit#ResetPasswordResponse', requestType: code.requestType, email: code.email };
};
