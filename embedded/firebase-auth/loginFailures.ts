import { createHash } from 'node:crypto';
import { IdentityError } from './identityErrors';
import type { Service } from './service';

const FAILURES_PER_ACCOUNT_AND_NETWORK = 10;
const FAILURES_PER_NETWORK = 100;
const SIGN_IN_SECONDS = 300;
/** Far above what one network can reach, so that only a stranger with many networks can close an account. */
const FAILURES_PER_ACCOUNT = 1000;
const ACCOUNT_SECONDS = 3600;
const SIGN_UPS_PER_ADDRESS = 100;
const GOOGLE_PER_ADDRESS = 100;
const SIGN_UP_SECONDS = 600;

const TOO_MANY =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts. Try again later.';

async function allow({ rateLimit }: Service, bucket: string, max: number, windowSeconds: number) {
  const { ok, retryAfterSeconds } = await rateLimit.hit(bucket, max, windowSeconds);
  if (!ok) throw new IdentityError(TOO_MANY, 400, retryAfterSeconds);
}

/**
 * Counts before the password is checked, so that a burst gets no more tries than a queue. A success undoes its hit.
 * A stranger who guesses uses up the tries of their own network. The owner's network keeps its own ten.
 */
export async function countSignIn(service: Service, network: string, email: string) {
  const account = createHash('sha256').update(email).digest('base64url');
  const ofNetwork = `identity:sign-in:ip:${network}`;
  const ofBoth = `identity:sign-in:account-ip:${account}:${network}`;
  const ofAccount = `identity:sign-in:account-hour:${account}`;
  await allow(service, ofNetwork, FAILURES_PER_NETWORK, SIGN_IN_SECONDS);
  await allow(service, ofBoth, FAILURES_PER_ACCOUNT_AND_NETWORK, SIGN_IN_SECONDS);
  await allow(service, ofAccount, FAILURES_PER_ACCOUNT, ACCOUNT_SECONDS);
  return { undo: () => service.rateLimit.undo([ofNetwork, ofBoth, ofAccount]) };
}

/** Also what else tells whether an address is taken. */
export const countSignUp = (service: Service, network: string) =>
  allow(service, `identity:sign-up:ip:${network}`, SIGN_UPS_PER_ADDRESS, SIGN_UP_SECONDS);

export const countGoogle = (service: Service, network: string) =>
  allow(service, `identity:google:ip:${network}`, GOOGLE_PER_ADDRESS, SIGN_UP_SECONDS);
