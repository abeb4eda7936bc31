import { APP_MESSAGES, IDENTITY_UNREACHABLE } from './appMessages';
import { SPEC_MESSAGES } from './specMessages';

/** The embedded identity service sends this sentence with the error `auth/weak-password`. */
export const COMMON_PASSWORD_MESSAGE = 'This password is too common. Choose a less common one.';

/** Toasts about the session. */
export const SESSION_MESSAGES = {
  signedOut: "You're signed out",
  signedOutElsewhere: 'You signed out in another tab',
  emailVerified: 'Your email is verified',
} as const;

const LOGIN_CANCELED = "Login was canceled. Try again when you're ready.";

/**
 * Sentences for the identity provider's error codes. A wrong password has the same sentence as an unknown email, so
 * that a failed login does not reveal whether the email has an account.
 */
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
  'auth/popup-closed-by-user': LOGIN_CANCELED,
  'auth/cancelled-popup-request': LOGIN_CANCELED,
  'auth/popup-blocked': 'Your browser blocked the login window. Allow pop-ups for this site and try again.',
  'auth/operation-not-allowed': "This login method isn't available. Use another one.",
  'auth/unauthorized-domain': "This login method isn't available at this web address. Use another one.",
};
export const GOOGLE_UNREACHABLE =
  "We couldn't open Google's login window, because your browser can't reach apis.google.com. " +
  'Try again, or log in with email and password.';
export const IDENTITY_FALLBACK = "We couldn't log you in. Please try again.";

export const LINK_JUST_SENT = "We've just sent you a link. Check your inbox, or try again in a minute.";
/** For the link that verifies the email. */
export const LINK_MESSAGES: Record<string, string> = {
  ...IDENTITY_MESSAGES,
  'auth/too-many-requests': LINK_JUST_SENT,
};
export const LINK_FALLBACK = "We couldn't send the link. Please try again.";

export const WRONG_CURRENT_PASSWORD = "This isn't your current password.";
/** For a change of the password, during which the current password is checked first. */
export const PASSWORD_CHANGE_MESSAGES: Record<string, string> = {
  ...IDENTITY_MESSAGES,
  'auth/invalid-credential': WRONG_CURRENT_PASSWORD,
  'auth/wrong-password': WRONG_CURRENT_PASSWORD,
  'auth/invalid-login-credentials': WRONG_CURRENT_PASSWORD,
};
export const PASSWORD_CHANGED_LOGIN_FAILED =
  "Your password was changed, but we couldn't log you in with it. Sign out, then log in with the new password.";
export const PASSWORD_CHANGE_FALLBACK = "We couldn't change your password. Please try again.";
