import { findAccountByEmail, insertAccount } from '../accounts';
import { enforceSignUpLimit } from '../limits';
import { readEmail, readText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { hashPassword, requireStrongPassword } from '../passwords';
import type { IdentityCallHandler } from '../service';
import { openSession, issueTokens } from '../sessions';

export const signUp: IdentityCallHandler = async (service, body, network) => {
  const typedEmail = readText(body, 'email');
  const password = readText(body, 'password');
  if (readText(body, 'localId')) throwIdentityError('UNEXPECTED_PARAMETER : User ID');
  if (readText(body, 'idToken')) throwIdentityError('OPERATION_NOT_ALLOWED');
  if (!typedEmail && !password) throwIdentityError('ADMIN_ONLY_OPERATION');
  if (!typedEmail) throwIdentityError('MISSING_EMAIL');
  if (!password) throwIdentityError('MISSING_PASSWORD');
  const email = readEmail(service, body);

  await enforceSignUpLimit(service, network);
  if (await findAccountByEmail(service.db, email)) throwIdentityError('EMAIL_EXISTS');
  const passwordHash = await hashPassword(await requireStrongPassword(service, password), service.passwordCost);
  const now = service.now();
  const session = await service.db.transaction(async (tx) => {
    const account = (await insertAccount(tx, { email, passwordHash }, now)) ?? throwIdentityError('EMAIL_EXISTS');
    return openSession(tx, { account, provider: 'password' }, now);
  });
  return {
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: session.account.localId,
    email,
    ...(await issueTokens(service, session)),
  };
};
