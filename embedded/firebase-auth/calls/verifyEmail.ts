import { listFederatedIdentities } from '../accounts';
import { applyCode, requireCode } from '../actionCodes';
import { throwIdentityError } from '../identityErrors';
import { buildProfile } from '../profile';
import type { IdentityService } from '../service';

/** The part of `accounts:update` that takes the code of a mailed link instead of an ID token. */
export async function verifyEmail(service: IdentityService, oobCode: string) {
  const code = await requireCode(service, oobCode);
  if (code.requestType !== 'VERIFY_EMAIL') throwIdentityError('INVALID_OOB_CODE');
  const account = await service.db.transaction((tx) => applyCode(tx, code, {}));
  return buildProfile(account, await listFederatedIdentities(service.db, account.localId));
}
