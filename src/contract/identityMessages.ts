import { APP_MESSAGES, IDENTITY_UNREACHABLE } from './appMessages';
import { SPEC_MESSAGES } from './specMessages';

/** The embedded identity refuses common passwords with this text in `auth/weak-password`. */
export const COMMON_PASSWORD = 'Too many people use this password. Choose another one.';

/** Sentences by the provider's code. A wrong password and an unknown email get the same one. */
export const IDENTITY_MESSAGES: Record<string, string> = {
  'auth/network-request-failed': IDENTITY_UNREACHABLE,
  'auth/timeout': IDENTITY_UNREACHABLE,
  'auth/user-token-expired': APP_MESSAGES.sessionEnded,
  'auth/invalid-user-token': APP_MESSAGES.sessionEnded,
  'auth/invalid-credential': 'Wrong email or password.',
  'auth/wrong-password': 'Wrong email or password.',
  'auth/user-not-found': 'Wrong email or password.',
  'auth/invalid-login-credentials': 'Wrong email or password.',
  'auth/email-already-in-use': 'An account with this email already exists. Log in instead.',
  'auth/weak-password': SPEC_MESSAGES.passwordShort,
  'auth/invalid-email': SPEC_MESSAGES.emailInvalid,
  'auth/missing-password': SPEC_MESSAGES.passwordRequired,
  'auth/user-disabled': 'This account is disabled. Contact us if you think this is a mistake.',
  'auth/too-many-requests': 'Too many attempts. Wait a moment and try again.',
  'auth/popup-closed-by-user': 'Sign-in was canceled.',
  'auth/cancelled-popup-request': 'Sign-in was canceled.',
  'auth/popup-blocked': 'Your browser blocked the sign-in window. Allow pop-ups for this site and try again.',
  'auth/operation-not-allowed': "This sign-in method isn't available.",
  'auth/unauthorized-domain': "This sign-in method isn't available at this web address.",
};
export const GOOGLE_UNREACHABLE =
  "We couldn't open Google's sign-in window, because your browser can't reach apis.google.com. " +
  'Try again, or log in with email and password.';
export const IDENTITY_FALLBACK = "We couldn't sign you in. Please try again.";
