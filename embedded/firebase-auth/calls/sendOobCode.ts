import { setTimeout as sleep } from 'node:timers/promises';
import { findAccountByEmail } from '../accounts';
import { mailCode } from '../actionCodes';
import { readText, type Body } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { authenticateCaller } from '../idTokens';
import { enforceMailLimit } from '../limits';
import type { IdentityCallHandler, IdentityService } from '../service';

/**
 * Each request for a new password takes at least this long. Storing a code takes a few milliseconds, so the response
 * time does not reveal whether the email has an account.
 */
export const RESET_RESPONSE_MS = 300;

/** The link leads back to this URL. Only pages of this site are allowed. */
function readContinueUrl({ publicUrl }: IdentityService, body: Body): string | undefined {
  const continueUrl = readText(body, 'continueUrl') || undefined;
  if (continueUrl === undefined) return undefined;
  if (!URL.canParse(continueUrl))
    throwIdentityError('INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))');
  const { href } = new URL(continueUrl);
  if (!href.startsWith(`${new URL(publicUrl).origin}/`))
    throwIdentityError('UNAUTHORIZED_DOMAIN : Domain not allowlisted by project');
  return href;
}

/** The response is the same whether or not the email has an account. */
async function sendPasswordReset(service: IdentityService, body: Body, network: string, continueUrl?: string) {
  const typed = readText(body, 'email') || throwIdentityError('MISSING_EMAIL');
  const email = service.normalizeEmail(typed);
  await enforceMailLimit(service, network, 'PASSWORD_RESET', email ?? typed);
  const mailIfKnown = async () => {
    const account = email === undefined ? undefined : await findAccountByEmail(service.db, email);
    if (account) await mailCode(service, { ...account, requestType: 'PASSWORD_RESET', email: email! }, continueUrl);
  };
  await Promise.all([mailIfKnown(), sleep(RESET_RESPONSE_MS)]);
  return email ?? typed;
}

async function sendVerification(service: IdentityService, body: Body, network: string, continueUrl?: string) {
  const { account } = await authenticateCaller(service, readText(body, 'idToken'));
  const email = account.email ?? throwIdentityError('MISSING_EMAIL');
  await enforceMailLimit(service, network, 'VERIFY_EMAIL', email);
  await mailCode(service, { ...account, requestType: 'VERIFY_EMAIL', email }, continueUrl);
  return email;
}

const SENDERS = new Map([
  ['VERIFY_EMAIL', sendVerification],
  ['PASSWORD_RESET', sendPasswordReset],
]);

export const sendOobCode: IdentityCallHandler = async (service, body, network) => {
  const requestType = readText(body, 'requestType') || throwIdentityError('MISSING_REQ_TYPE');
  const send = SENDERS.get(requestType) ?? throwIdentityError('OPERATION_NOT_ALLOWED');
  const email = await send(service, body, network, readContinueUrl(service, body));
  return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email };
};
