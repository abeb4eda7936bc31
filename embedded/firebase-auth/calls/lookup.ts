import { federatedOf } from '../accounts';
import { textOf } from '../body';
import { callerOf, seconds } from '../idTokens';
import { profileOf } from '../profile';
import type { IdentityCall } from '../service';

export const lookup: IdentityCall = async (service, body) => {
  const { account } = await callerOf(service, textOf(body, 'idToken'));
  const user = {
    ...profileOf(service, account, await federatedOf(service.db, account.localId)),
    validSince: String(seconds(account.validSince)),
    createdAt: String(account.createdAt.getTime()),
    lastLoginAt: String(account.lastLoginAt.getTime()),
  };
  return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [user] };
};
