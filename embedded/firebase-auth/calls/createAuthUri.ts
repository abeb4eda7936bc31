import { randomBytes } from 'node:crypto';
import { emailIn, textOf } from '../body';
import { fail } from '../identityErrors';
import type { IdentityCall } from '../service';

/** Says nothing of whether there is such an account, as Google does when it protects addresses from being tried. */
export const createAuthUri: IdentityCall = async (service, body) => {
  if (!textOf(body, 'identifier')) fail('MISSING_IDENTIFIER');
  if (!textOf(body, 'continueUri')) fail('MISSING_CONTINUE_URI');
  emailIn(service, body, 'identifier', 'INVALID_IDENTIFIER');
  return { kind: 'identitytoolkit#CreateAuthUriResponse', sessionId: randomBytes(20).toString('base64url') };
};
