import { readText, type Body } from '../body';
import { fail } from '../identityErrors';
import { authenticateCaller } from '../idTokens';
import type { IdentityCall, Service } from '../service';

const normalizeIfValid = ({ normalizeEmail }: Service, typed: string) => normalizeEmail(typed) ?? typed;

async function findRecipient(service: Service, body: Body): Promise<string | null> {
  switch (readText(body, 'requestType') || fail('MISSING_REQ_TYPE')) {
    case 'PASSWORD_RESET':
      return normalizeIfValid(service, readText(body, 'email') || fail('MISSING_EMAIL'));
    case 'VERIFY_EMAIL':
      return (await authenticateCaller(service, readText(body, 'idToken'))).account.email;
    default:
      return fail('OPERATION_NOT_ALLOWED');
  }
}

/** Sends no email, because this service has no mail server. The response does not reveal whether the account exists. */
export const sendOobCode: IdentityCall = async (service, body) => ({
  kind: 'identitytoolkit#GetOobConfirmationCodeResponse',
  email: await findRecipient(service, body),
});
