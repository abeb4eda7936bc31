import type { Account, FederatedIdentity } from './accounts';
import { GOOGLE_PROVIDER_ID } from './service';

const definedFields = (name: string | null, photo: string | null) => ({
  ...(name && { displayName: name }),
  ...(photo && { photoUrl: photo }),
});

function buildProviderInfo(account: Account, federated: FederatedIdentity[]) {
  const { email, passwordHash, displayName, photoUrl } = account;
  const password = {
    providerId: 'password',
    email,
    federatedId: email,
    rawId: email,
    ...definedFields(displayName, photoUrl),
  };
  const others = federated.map(({ providerId, rawId, email: address, displayName: name, photoUrl: photo }) => ({
    providerId,
    rawId,
    federatedId: rawId,
    ...definedFields(name, photo),
    email: address,
  }));
  return passwordHash ? [password, ...others] : others;
}

/** Google sends this constant for every account that has a password. */
const REDACTED_PASSWORD_HASH = 'UkVEQUNURUQ=';

export function buildProfile(account: Account, federated: FederatedIdentity[]) {
  return {
    localId: account.localId,
    email: account.email,
    emailVerified: account.emailVerified,
    ...definedFields(account.displayName, account.photoUrl),
    ...(account.passwordHash && { passwordHash: REDACTED_PASSWORD_HASH }),
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
