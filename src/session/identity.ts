/** The provider's own user object stays inside its adapter. */
export interface Person {
  displayName: string;
  email: string;
}

/** The message can be shown to the user. `isSessionOver` means that the provider ended the session for good. */
export class IdentityError extends Error {
  constructor(
    message: string,
    readonly isSessionOver: boolean = false,
  ) {
    super(message);
  }
}

/** Every method rejects with an IdentityError. */
export interface Identity {
  signUp(email: string, password: string): Promise<Person>;
  signIn(email: string, password: string): Promise<Person>;
  signInWithGoogle(): Promise<Person>;
  /** Rejects with "No user is logged in" if no user is signed in. */
  rename(displayName: string): Promise<Person>;
  resetPassword(email: string): Promise<void>;
  signOut(): Promise<void>;
  /** Calls the listener with the current user immediately, and after every change in any tab. */
  onChange(listener: (person: Person | null) => void): void;
  /** Refreshes the ID token, so that it contains a new name. */
  idToken(): Promise<string>;
}
