export interface ProvenIdentity {
  uid: string;
  email: string;
  emailVerified: boolean;
  displayName: string;
  /** When this person signed in, in whole seconds: the same for all tokens of one session. */
  authTime: Date;
  /** When the provider last ended this person's sessions (a new password or address), as far as it tells. */
  sessionsEndedAt: Date | null;
}

/** The keys of the identity provider cannot be had now: neither yes nor no. */
export class IdentityProviderDown extends Error {}

export interface IdentityVerifier {
  /**
   * @param admit called with the user's id once the signature is checked, before the provider is asked about the account
   * @returns null for a token that must not be trusted
   * @throws IdentityProviderDown
   */
  verify(idToken: string, admit?: (uid: string) => Promise<void>): Promise<ProvenIdentity | null>;
  /** Whether the account is still there and still has this address, where the provider can be asked without a token. */
  hasAccount?(uid: string, email: string): Promise<boolean>;
}
