import { createHash } from 'node:crypto';
import { forgive } from '../../limits';
import { IdentityError } from './errors';
import type { IdentityServiceDeps } from './service';

const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;
const SIGN_IN_SECONDS = 300;
const SIGN_UPS_PER_ADDRESS = 100;
const GOOGLE_PER_ADDRESS = 100;
const SIGN_UP_SECONDS = 600;

const TOO_MANY =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts. Try again later.';

async function allow({ limit }: IdentityServiceDeps, bucket: string, max: number, windowSeconds: number) {
  const { ok, retryAfterSeconds } = await limit(bucket, max, windowSeconds);
  if (!ok) throw new IdentityError(TOO_MANY, 400, retryAfterSeconds);
}

/** Counted before the password is looked at, so that a burst gets no more tries than a queue; the answer takes it back. */
export async function countSignIn(service: IdentityServiceDeps, ip: string, email: string) {
  const ofAddress = `identity:sign-in:ip:${ip}`;
  const ofAccount = `identity:sign-in:account:${createHash('sha256').update(email).digest('base64url')}`;
  await allow(service, ofAddress, FAILURES_PER_ADDRESS, SIGN_IN_SECONDS);
  await allow(service, ofAccount, FAILURES_PER_ACCOUNT, SIGN_IN_SECONDS);
  return { succeeded: () => forgive(service.db, [ofAddress, ofAccount]) };
}

/** Also what else tells whether an address is taken. */
export const countSignUp = (service: IdentityServiceDeps, ip: string) =>
  allow(service, `identity:sign-up:ip:${ip}`, SIGN_UPS_PER_ADDRESS, SIGN_UP_SECONDS);

export const countGoogle = (service: IdentityServiceDeps, ip: string) =>
  allow(service, `identity:google:ip:${ip}`, GOOGLE_PER_ADDRESS, SIGN_UP_SECONDS);
