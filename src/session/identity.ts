/** Who someone is, as far as the pages care: a provider's own user object never comes further than its adapter. */
export interface Person {
  displayName: string;
  email: string;
}

/** What went wrong in words for people, and whether the provider has ended the session for good. */
export class IdentityError extends Error {
  constructor(
    sentence: string,
    readonly ended: boolean = false,
  ) {
    super(sentence);
  }
}

/** Every verb rejects with an IdentityError. */
export interface Identity {
  signUp(email: string, password: string): Promise<Person>;
  signIn(email: string, password: string): Promise<Person>;
  signInWithGoogle(): Promise<Person>;
  /** Rejects with "No user is logged in" when there is nobody. */
  rename(displayName: string): Promise<Person>;
  resetPassword(email: string): Promise<void>;
  signOut(): Promise<void>;
  /** Tells who is there, at once and whenever it changes, in whichever tab. */
  onChange(listener: (person: Person | null) => void): void;
  /** A fresh ID token, so that a new name is in it. */
  idToken(): Promise<string>;
}
