import { applyCode, requireCode, type ActionCode } from '../actionCodes';
import { readText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { hashPassword, requireStrongPassword } from '../passwords';
import type { IdentityCallHandler, IdentityService } from '../service';
import { endSessions } from '../sessions';

/** Also verifies the email, because only its owner has the link. */
async function setPassword(service: IdentityService, code: ActionCode, newPassword: string): Promise<void> {
  if (code.requestType !== 'PASSWORD_RESET') throwIdentityError('INVALID_OOB_CODE');
  const passwordHash = await hashPassword(await requireStrongPassword(service, newPassword), service.passwordCost);
  const now = service.now();
  await service.db.transaction(async (tx) => {
    const { localId } = await applyCode(tx, code, { passwordHash, validSince: now });
    await endSessions(tx, localId, now);
    await service.endAppSessions?.(tx, localId, now);
  });
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
