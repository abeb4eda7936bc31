import { accountOfEmail, insertAccount } from '../accounts';
import { countSignUp } from '../loginFailures';
import { emailIn, MAX_DISPLAY_NAME, storedText, textOf } from '../body';
import { fail } from '../identityErrors';
import { hashPassword, requireStrong } from '../passwords';
import type { IdentityCall } from '../service';
import { openSession, tokensOf } from '../sessions';

export const signUp: IdentityCall = async (service, body, network) => {
  const typed = textOf(body, 'email');
  const password = textOf(body, 'password');
  if (textOf(body, 'localId')) fail('UNEXPECTED_PARAMETER : User ID');
  if (textOf(body, 'idToken')) fail('OPERATION_NOT_ALLOWED');
  if (!typed && !password) fail('ADMIN_ONLY_OPERATION');
  if (!typed) fail('MISSING_EMAIL');
  if (!password) fail('MISSING_PASSWORD');
  const email = emailIn(service, body);
  const displayName = storedText(body, 'displayName', MAX_DISPLAY_NAME);

  await countSignUp(service, network);
  if (await accountOfEmail(service.db, email)) fail('EMAIL_EXISTS');
  const passwordHash = await hashPassword(await requireStrong(service, password), service.passwordCost);
  const now = service.now();
  const session = await service.db.transaction(async (tx) => {
    const account = (await insertAccount(tx, { email, passwordHash, displayName }, now)) ?? fail('EMAIL_EXISTS');
    return openSession(tx, { account, provider: 'password' }, now);
  });
  return {
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: session.account.localId,
    email,
    ...(displayName && { displayName }),
    ...(await tokensOf(service, session)),
  };
};
