import { APP_MESSAGES, IDENTITY_UNREACHABLE } from './appMessages';
import { SPEC_MESSAGES } from './specMessages';

/** Refused by the embedded identity, which sends it as the text of `auth/weak-password`. */
export const COMMON_PASSWORD = 'Too many people use this password. Choose another one.';

/** Provider code -> sentence. A wrong password and an unknown address share theirs. */
export const IDENTITY_SENTENCES: Record<string, string> = {
  'auth/network-request-failed': IDENTITY_UNREACHABLE,
  'auth/timeout': IDENTITY_UNREACHABLE,
  'auth/user-token-expired': APP_MESSAGES.sessionEnded,
  'auth/invalid-user-token': APP_MESSAGES.sessionEnded,
  'auth/invalid-credential': 'Email or password is wrong.',
  'auth/wrong-password': 'Email or password is wrong.',
  'auth/user-not-found': 'Email or password is wrong.',
  'auth/invalid-login-credentials': 'Email or password is wrong.',
  'auth/email-already-in-use': 'An account with this email exists already. Log in instead.',
  'auth/weak-password': SPEC_MESSAGES.passwordShort,
  'auth/invalid-email': SPEC_MESSAGES.emailInvalid,
  'auth/missing-password': SPEC_MESSAGES.passwordRequired,
  'auth/user-disabled': 'This account is closed. Write to us if you think it should not be.',
  'auth/too-many-requests': 'Too many tries. Wait a moment and try again.',
  'auth/popup-closed-by-user': 'The sign-in window was closed before it was done.',
  'auth/cancelled-popup-request': 'The sign-in window was closed before it was done.',
  'auth/popup-blocked': 'Your browser blocked the sign-in window. Allow pop-ups for this site and try again.',
  'auth/operation-not-allowed': 'This way of signing in is not open here.',
  'auth/unauthorized-domain': 'This way of signing in is not open on this address.',
};
export const GOOGLE_UNREACHABLE =
  "Google's sign-in window could not be opened: your browser cannot reach apis.google.com. Log in with email and password, or try again.";
export const IDENTITY_FALLBACK = 'Signing in did not work. Please try again.';
