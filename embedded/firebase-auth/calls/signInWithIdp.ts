import { eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { readText, type Body } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { verifyGoogleCredential, type GooglePerson } from '../google/googleCredential';
import { linkGoogle } from '../google/linkGoogle';
import { GOOGLE_PROVIDER_ID, type IdentityCallHandler, type IdentityService } from '../service';
import { openSession, issueTokens } from '../sessions';

function readGoogleCredential(service: IdentityService, body: Body): string {
  const form = new URLSearchParams(readText(body, 'postBody'));
  const provider =
    form.get('providerId') || throwIdentityError('INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential');
  if (provider !== GOOGLE_PROVIDER_ID || !service.demo || readText(body, 'idToken')) {
    throwIdentityError('OPERATION_NOT_ALLOWED : The identity provider configuration is not found.');
  }
  return form.get('id_token') || throwIdentityError('INVALID_IDP_RESPONSE : The id_token is missing.');
}

function signIn(service: IdentityService, person: GooglePerson) {
  const now = service.now();
  return service.db.transaction(async (tx) => {
    const { account, isNewUser } = await linkGoogle(tx, person, now);
    await tx.update(identityAccounts).set({ lastLoginAt: now }).where(eq(identityAccounts.localId, account.localId));
    return { isNewUser, session: await openSession(tx, { account, provider: GOOGLE_PROVIDER_ID }, now) };
  });
}

const SCOPES = 'openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email';

const formatRawUserInfo = ({ rawId: id, email, displayName: name }: GooglePerson) =>
  JSON.stringify({ granted_scopes: SCOPES, id, name, verified_email: true, locale: 'en', email });

const buildGoogleFields = (person: GooglePerson) => ({
  providerId: GOOGLE_PROVIDER_ID,
  email: person.email,
  displayName: person.displayName,
  rawUserInfo: formatRawUserInfo(person),
});

export const signInWithIdp: IdentityCallHandler = async (service, body) => {
  const oauthIdToken = readGoogleCredential(service, body);
  const person = await verifyGoogleCredential(service, oauthIdToken);
  const { session, isNewUser } = await signIn(service, person);
  return {
    ...buildGoogleFields(person),
    localId: session.account.localId,
    oauthIdToken,
    ...(isNewUser && { isNewUser }),
    ...(await issueTokens(service, session)),
  };
};
