import { eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { textOf, type Body } from '../body';
import { fail } from '../identityErrors';
import { readCredential, type GooglePerson } from '../google/credential';
import { linkGoogle } from '../google/link';
import { isVerified } from '../profile';
import { GOOGLE, type IdentityCall, type Service } from '../service';
import { openSession, tokensOf } from '../sessions';

function credentialIn(service: Service, body: Body): string {
  const form = new URLSearchParams(textOf(body, 'postBody'));
  const provider =
    form.get('providerId') || fail('INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential');
  if (provider !== GOOGLE || !service.demo || textOf(body, 'idToken')) {
    fail('OPERATION_NOT_ALLOWED : The identity provider configuration is not found.');
  }
  return form.get('id_token') || fail('INVALID_IDP_RESPONSE : The id_token is missing.');
}

function signIn(service: Service, person: GooglePerson) {
  const now = service.now();
  return service.db.transaction(async (tx) => {
    const { account, isNewUser } = await linkGoogle(tx, person, now);
    if (account.disabled) fail('USER_DISABLED');
    await tx.update(identityAccounts).set({ lastLoginAt: now }).where(eq(identityAccounts.localId, account.localId));
    return { isNewUser, session: await openSession(tx, { account, provider: GOOGLE }, now) };
  });
}

const SCOPES = 'openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email';

const rawUserInfo = ({ rawId: id, email, displayName: name }: GooglePerson) =>
  JSON.stringify({ granted_scopes: SCOPES, id, name, verified_email: true, locale: 'en', email });

const aboutPerson = (person: GooglePerson) => ({
  providerId: GOOGLE,
  federatedId: `https://accounts.google.com/${person.rawId}`,
  email: person.email,
  displayName: person.displayName,
  fullName: person.displayName,
  rawUserInfo: rawUserInfo(person),
});

export const signInWithIdp: IdentityCall = async (service, body) => {
  const oauthIdToken = credentialIn(service, body);
  const person = await readCredential(service, oauthIdToken);
  const { session, isNewUser } = await signIn(service, person);
  return {
    kind: 'identitytoolkit#VerifyAssertionResponse',
    context: '',
    ...aboutPerson(person),
    emailVerified: isVerified(service, session.account),
    localId: session.account.localId,
    oauthIdToken,
    ...(isNewUser && { isNewUser }),
    ...(await tokensOf(service, session)),
  };
};
