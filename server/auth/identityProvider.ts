export interface VerifiedIdentity {
  uid: string;
  email: string;
  emailVerified: boolean;
  /** Whether the account belongs to a Google user. Google then vouches for the email. */
  isLinkedToGoogle: boolean;
  displayName: string;
  /**
   * When this user signed in, in whole seconds. It identifies the session, because all tokens of a session contain the
   * same time.
   */
  authTime: Date;
  /** When a new password or email last ended this user's sessions, if the provider reports it. */
  sessionsEndedAt: Date | null;
}

/** The identity provider's keys cannot be fetched, so the shop cannot tell whether a token is valid. */
export class IdentityProviderDown extends Error {}

export interface IdentityVerifier {
  /**
   * @param onSignatureVerified called with the user's id before the account is looked up
   * @returns null for a token that must not be trusted
   * @throws IdentityProviderDown
   */
  verify(idToken: string, onSignatureVerified?: (uid: string) => Promise<void>): Promise<VerifiedIdentity | null>;
}
