import { readText, type Body } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { authenticateCaller } from '../idTokens';
import type { IdentityCallHandler, IdentityService } from '../service';

const normalizeIfValid = ({ normalizeEmail }: IdentityService, typed: string) => normalizeEmail(typed) ?? typed;

async function findRecipient(service: IdentityService, body: Body): Promise<string | null> {
  switch (readText(body, 'requestType') || throwIdentityError('MISSING_REQ_TYPE')) {
    case 'PASSWORD_RESET':
      return normalizeIfValid(service, readText(body, 'email') || throwIdentityError('MISSING_EMAIL'));
    case 'VERIFY_EMAIL':
      return (await authenticateCaller(service, readText(body, 'idToken'))).account.email;
    default:
      return throwIdentityError('OPERATION_NOT_ALLOWED');
  }
}

/** Sends no email, because this service has no mail server. The response does not reveal whether the account exists. */
export const sendOobCode: IdentityCallHandler = async (service, body) => ({
  kind: 'identitytoolkit#GetOobConfirmationCodeResponse',
  email: await findRecipient(service, body),
});
