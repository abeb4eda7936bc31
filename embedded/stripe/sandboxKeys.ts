import { createHash, timingSafeEqual } from 'node:crypto';
import { randomText } from './ids';
import type { StripeSandboxOptions } from './sandboxOptions';
import { invalidRequest } from './stripeErrors';

export type ApiKeyKind = 'secret' | 'publishable';
export const PUBLISHABLE_KEY = 'pk_test_forgeline';
export interface Keys {
  publishable: typeof PUBLISHABLE_KEY;
  secret: string;
  webhookSecret: string;
}

export async function readKeys(readSecret: StripeSandboxOptions['readSecret']): Promise<Keys> {
  return {
    publishable: PUBLISHABLE_KEY,
    secret: await readSecret('sandbox_secret_key', `sk_test_${randomText(48)}`),
    webhookSecret: await readSecret('sandbox_webhook_secret', `whsec_${randomText(32)}`),
  };
}

const digest = (value: string) => createHash('sha256').update(value).digest();
const isEqual = (left: string, right: string) => timingSafeEqual(digest(left), digest(right));

const NO_KEY =
  'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
  "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
const SECRET_ONLY = 'This API call cannot be made with a publishable API key. Please use a secret API key.';

export function readApiKeyKind(authorization: string | undefined, keys: Keys): ApiKeyKind {
  const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) throw invalidRequest(401, NO_KEY);
  if (isEqual(key, keys.secret)) return 'secret';
  if (key === keys.publishable) return 'publishable';
  throw invalidRequest(401, `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`);
}

export function requireSecretKey(caller: ApiKeyKind) {
  if (caller !== 'secret') throw invalidRequest(403, SECRET_ONLY, 'secret_key_required');
}

export function isSameSecret(given: string | null, expected: string): boolean {
  return given !== null && isEqual(given, expected);
}
