import { createHash } from 'node:crypto';

/** For secrets with enough randomness, and for emails in the names of limits. Passwords need a slow hash instead. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
