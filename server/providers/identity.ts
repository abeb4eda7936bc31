export interface ProvenIdentity {
  uid: string;
  email: string;
  emailVerified: boolean;
  displayName: string;
  /** When the provider last ended this person's sessions (a new password or address), as far as it tells. */
  sessionsEndedAt: Date | null;
}

/** The keys of the identity provider cannot be had now: neither yes nor no. */
export class IdentityProviderDown extends Error {}

export interface IdentityVerifier {
  /** Who this ID token proves one to be; null for a token that is not to be believed. Throws IdentityProviderDown. */
  verify(idToken: string): Promise<ProvenIdentity | null>;
}
