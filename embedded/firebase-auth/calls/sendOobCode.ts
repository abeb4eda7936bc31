import { textOf, type Body } from '../body';
import { fail } from '../identityErrors';
import { callerOf } from '../idTokens';
import type { IdentityCall, Service } from '../service';

const normalized = ({ normalizeEmail }: Service, typed: string) => normalizeEmail(typed) ?? typed;

async function addressee(service: Service, body: Body): Promise<string | null> {
  switch (textOf(body, 'requestType') || fail('MISSING_REQ_TYPE')) {
    case 'PASSWORD_RESET':
      return normalized(service, textOf(body, 'email') || fail('MISSING_EMAIL'));
    case 'VERIFY_EMAIL':
      return (await callerOf(service, textOf(body, 'idToken'))).account.email;
    default:
      return fail('OPERATION_NOT_ALLOWED');
  }
}

/** There is no mail here: the answer is Google's to an address that has no account, and the pages say that no mail comes. */
export const sendOobCode: IdentityCall = async (service, body) => ({
  kind: 'identitytoolkit#GetOobConfirmationCodeResponse',
  email: await addressee(service, body),
});
