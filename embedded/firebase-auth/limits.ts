import { IdentityError } from './identityErrors';
import type { IdentityService } from './service';
import { sha256 } from './sha256';

const FAILURES_PER_ACCOUNT_AND_NETWORK = 10;
const FAILURES_PER_NETWORK = 100;
const SIGN_IN_WINDOW_SECONDS = 300;
/** About eight times as many as one network can cause in an hour, so a single network cannot lock an account. */
const FAILURES_PER_ACCOUNT = 1000;
const ACCOUNT_WINDOW_SECONDS = 3600;
const SIGN_UPS_PER_NETWORK = 100;
const SIGN_UP_WINDOW_SECONDS = 600;
const MAILS_PER_NETWORK = 100;
const MAIL_PAUSE_SECONDS = 60;
const MAILS_PER_ACCOUNT_AND_NETWORK = 5;
/** Eight times as many as one network can cause in an hour, so a single network cannot keep the owner from a mail. */
const MAILS_PER_ACCOUNT = 40;

const TOO_MANY_ATTEMPTS =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts. Try again later.';

async function enforceLimit({ rateLimit }: IdentityService, bucket: string, max: number, windowSeconds: number) {
  const { ok, retryAfterSeconds } = await rateLimit.hit(bucket, max, windowSeconds);
  if (!ok) throw new IdentityError(TOO_MANY_ATTEMPTS, 400, retryAfterSeconds);
}

/**
 * Counts before the password is checked, so that parallel requests get no more tries than sequential ones. After a
 * success, the caller must call `undo`. Each network has its own tries, so an attacker in one network does not lock out
 * the owner in another.
 */
export async function enforceSignInLimit(service: IdentityService, network: string, email: string) {
  const emailHash = sha256(email);
  const networkBucket = `identity:sign-in:ip:${network}`;
  const accountNetworkBucket = `identity:sign-in:account-ip:${emailHash}:${network}`;
  const accountBucket = `identity:sign-in:account-hour:${emailHash}`;
  await enforceLimit(service, networkBucket, FAILURES_PER_NETWORK, SIGN_IN_WINDOW_SECONDS);
  await enforceLimit(service, accountNetworkBucket, FAILURES_PER_ACCOUNT_AND_NETWORK, SIGN_IN_WINDOW_SECONDS);
  await enforceLimit(service, accountBucket, FAILURES_PER_ACCOUNT, ACCOUNT_WINDOW_SECONDS);
  return { undo: () => service.rateLimit.undo([networkBucket, accountNetworkBucket, accountBucket]) };
}

/** Limits changes of the email too, because they also reveal whether an email is taken. */
export const enforceSignUpLimit = (service: IdentityService, network: string) =>
  enforceLimit(service, `identity:sign-up:ip:${network}`, SIGN_UPS_PER_NETWORK, SIGN_UP_WINDOW_SECONDS);

/** Counts emails without an account too, so that the limits do not reveal which emails have one. */
export async function enforceMailLimit(service: IdentityService, network: string, requestType: string, email: string) {
  const emailHash = sha256(email);
  const accountNetwork = `${emailHash}:${network}`;
  const limits: [string, number, number][] = [
    [`network:${network}`, MAILS_PER_NETWORK, SIGN_UP_WINDOW_SECONDS],
    [`pause:${requestType}:${accountNetwork}`, 1, MAIL_PAUSE_SECONDS],
    [`account-network:${accountNetwork}`, MAILS_PER_ACCOUNT_AND_NETWORK, ACCOUNT_WINDOW_SECONDS],
    [`account:${emailHash}`, MAILS_PER_ACCOUNT, ACCOUNT_WINDOW_SECONDS],
  ];
  for (const [name, max, seconds] of limits) await enforceLimit(service, `identity:mail:${name}`, max, seconds);
}
