import { findAccountByEmail, insertAccount } from '../accounts';
import { countSignUp } from '../loginFailures';
import { readEmail, MAX_DISPLAY_NAME, readStorableText, readText } from '../body';
import { fail } from '../identityErrors';
import { hashPassword, requireStrongPassword } from '../passwords';
import type { IdentityCall } from '../service';
import { openSession, issueTokens } from '../sessions';

export const signUp: IdentityCall = async (service, body, network) => {
  const typed = readText(body, 'email');
  const password = readText(body, 'password');
  if (readText(body, 'localId')) fail('UNEXPECTED_PARAMETER : User ID');
  if (readText(body, 'idToken')) fail('OPERATION_NOT_ALLOWED');
  if (!typed && !password) fail('ADMIN_ONLY_OPERATION');
  if (!typed) fail('MISSING_EMAIL');
  if (!password) fail('MISSING_PASSWORD');
  const email = readEmail(service, body);
  const displayName = readStorableText(body, 'displayName', MAX_DISPLAY_NAME);

  await countSignUp(service, network);
  if (await findAccountByEmail(service.db, email)) fail('EMAIL_EXISTS');
  const passwordHash = await hashPassword(await requireStrongPassword(service, password), service.passwordCost);
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
    ...(await issueTokens(service, session)),
  };
};
