import type { Account, Federated } from './accounts';
import { GOOGLE, type Service } from './service';

export const isVerified = ({ demo }: Service, account: Account) => demo && account.emailVerified;

const shown = (name: string | null, photo: string | null) => ({
  ...(name && { displayName: name }),
  ...(photo && { photoUrl: photo }),
});

function providersOf(account: Account, federated: Federated[]) {
  const { email, passwordHash, displayName, photoUrl } = account;
  const password = { providerId: 'password', email, federatedId: email, rawId: email, ...shown(displayName, photoUrl) };
  const others = federated.map(({ providerId, rawId, email: address, displayName: name, photoUrl: photo }) => ({
    providerId,
    rawId,
    federatedId: rawId,
    ...shown(name, photo),
    email: address,
  }));
  return passwordHash ? [password, ...others] : others;
}

/** What Google says in place of a hash, to tell that there is one. */
const REDACTED = 'UkVEQUNURUQ=';

export function profileOf(service: Service, account: Account, federated: Federated[]) {
  return {
    localId: account.localId,
    email: account.email,
    emailVerified: isVerified(service, account),
    ...shown(account.displayName, account.photoUrl),
    ...(account.passwordHash && { passwordHash: REDACTED }),
    providerUserInfo: providersOf(account, federated),
  };
}

export function identitiesOf(account: Account, federated: Federated[]) {
  const google = federated.filter(({ providerId }) => providerId === GOOGLE).map(({ rawId }) => rawId);
  return { ...(account.email && { email: [account.email] }), ...(google.length && { [GOOGLE]: google }) };
}
