export interface VerifiedIdentity {
  uid: string;
  email: string;
  emailVerified: boolean;
  displayName: string;
  /** When this user signed in, in whole seconds. All tokens of one session have the same time. */
  authTime: Date;
  /** When the provider last ended this user's sessions (a new password or email), if it reports it. */
  sessionsEndedAt: Date | null;
}

/** The identity provider's keys cannot be fetched now, so a token can neither be accepted nor refused. */
export class IdentityProviderDown extends Error {}

export interface IdentityVerifier {
  /**
   * @param onSignatureVerified called with the user's id before the account is looked up
   * @returns null for a token that must not be trusted
   * @throws IdentityProviderDown
   */
  verify(idToken: string, onSignatureVerified?: (uid: string) => Promise<void>): Promise<VerifiedIdentity | null>;
  /** @returns whether the account still exists with this email. Missing if the provider needs a token to look it up. */
  hasAccount?(uid: string, email: string): Promise<boolean>;
}
