import { listFederatedIdentities } from '../accounts';
import { readText } from '../requestBody';
import { authenticateCaller } from '../idTokens';
import { buildProfile } from '../profile';
import type { IdentityCallHandler } from '../service';

export const lookup: IdentityCallHandler = async (service, body) => {
  const { account } = await authenticateCaller(service, readText(body, 'idToken'));
  const user = {
    ...buildProfile(account, await listFederatedIdentities(service.db, account.localId)),
    createdAt: String(account.createdAt.getTime()),
    lastLoginAt: String(account.lastLoginAt.getTime()),
  };
  return { users: [user] };
};
