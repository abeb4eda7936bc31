import { randomBytes } from 'node:crypto';
import { readEmail, readText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import type { IdentityCallHandler } from '../service';

/** Does not reveal whether the account exists, like Google with email enumeration protection. */
export const createAuthUri: IdentityCallHandler = async (service, body) => {
  if (!readText(body, 'identifier')) throwIdentityError('MISSING_IDENTIFIER');
  if (!readText(body, 'continueUri')) throwIdentityError('MISSING_CONTINUE_URI');
  readEmail(service, body, 'identifier', 'INVALID_IDENTIFIER');
  return { kind: 'identitytoolkit#CreateAuthUriResponse', sessionId: randomBytes(20).toString('base64url') };
};
