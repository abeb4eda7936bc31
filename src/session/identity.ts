import { UserError } from '../contract/problem';

/** A user, as the application sees them. Only the provider's adapter uses the SDK's own user object. */
export interface Person {
  displayName: string;
  email: string;
  emailVerified: boolean;
  /** False if the user signs in only with Google. */
  hasPassword: boolean;
}

/** `isSessionOver` means that the provider has ended the session, so trying again is useless. */
export class IdentityError extends UserError {
  constructor(
    message: string,
    readonly isSessionOver: boolean = false,
    /** The provider's code. */
    readonly code: string = 'unknown',
  ) {
    super(message);
  }
}

/** An identity provider. If a method fails, its promise rejects with an IdentityError. */
export interface Identity {
  signUp(email: string, password: string): Promise<Person>;
  signIn(email: string, password: string): Promise<Person>;
  signInWithGoogle(): Promise<Person>;
  /** Rejects with "No user is logged in" if nobody is signed in. */
  rename(displayName: string): Promise<Person>;
  /** Resolves even if no account uses this email, so that nobody learns which emails have an account. */
  requestPasswordReset(email: string): Promise<void>;
  /** Sends the current user an email with a link that verifies the email. */
  sendVerification(): Promise<void>;
  /**
   * Reads the user's account again, unless the current ID token already says that the email is verified.
   * @returns the user, and whether the ID token does not say yet that the email is verified
   */
  reload(): Promise<{ person: Person; isTokenOutdated: boolean }>;
  /** Ends the user's sessions on all other devices. */
  changePassword(current: string, next: string): Promise<void>;
  signOut(): Promise<void>;
  /** Calls the listener with the current user: at once, and after every change in any tab. */
  onChange(listener: (person: Person | null) => void): void;
  /** @returns the ID token of a sign-in that has just ended, or, if `renewed`, a new one with the current name */
  idToken(renewed: boolean): Promise<string>;
}
