import type { Account, FederatedIdentity } from './accounts';
import { GOOGLE_PROVIDER_ID } from './service';

const nameField = (displayName: string | null) => displayName && { displayName };

function buildProviderInfo({ email, passwordHash, displayName }: Account, federated: FederatedIdentity[]) {
  const password = { providerId: 'password', email, rawId: email, ...nameField(displayName) };
  const others = federated.map(({ providerId, rawId, ...other }) => ({
    providerId,
    rawId,
    ...nameField(other.displayName),
    email: other.email,
  }));
  return passwordHash ? [password, ...others] : others;
}

export function buildProfile(account: Account, federated: FederatedIdentity[]) {
  return {
    localId: account.localId,
    email: account.email,
    emailVerified: account.emailVerified,
    ...nameField(account.displayName),
    providerUserInfo: buildProviderInfo(account, federated),
  };
}

export function buildIdentitiesClaim(account: Account, federated: FederatedIdentity[]) {
  const googleIds = federated.filter(({ providerId }) => providerId === GOOGLE_PROVIDER_ID).map(({ rawId }) => rawId);
  return {
    ...(account.email && { email: [account.email] }),
    ...(googleIds.length && { [GOOGLE_PROVIDER_ID]: googleIds }),
  };
}
