import { createAccountLookup, type LookupAccount } from './accountStatus';
import { identityProviderDown } from '../http/problems';
import { createEmulatorVerifier, createFirebaseVerifier, type VerifyIdToken } from './firebaseTokens';
import { GOOGLE_KEYS, createGoogleKeyFinder, type FindKey } from './googleKeys';
import type { Settings } from '../settings/settings';

const LOOKUP_ENDPOINT = 'identitytoolkit.googleapis.com/v1/accounts:lookup';

export interface GoogleEndpoints {
  keys: string;
  lookUp: string;
}
const GOOGLE: GoogleEndpoints = { keys: GOOGLE_KEYS, lookUp: `https://${LOOKUP_ENDPOINT}` };

type VerifierSettings = Pick<Settings, 'identity' | 'publicUrl'>;

/** The embedded identity service, called in this process without HTTP. */
export interface EmbeddedIdentity {
  projectId: string;
  findKey: FindKey;
  accountStatus: LookupAccount;
}

interface VerifierDependencies {
  now: () => Date;
  onLookupFailure: (reason: string) => void;
  google?: GoogleEndpoints;
  /** Required unless the settings name Firebase or its emulator. */
  embedded?: EmbeddedIdentity;
}

/** Creates the verifier for the identity provider that the settings name. */
export function createIdentityVerifier(
  { identity, publicUrl }: VerifierSettings,
  dependencies: VerifierDependencies,
): VerifyIdToken {
  const { now, onLookupFailure: onFailure, google = GOOGLE } = dependencies;
  const lookupOptions = { referer: `${publicUrl}/`, now, onFailure };
  if (identity.kind === 'emulator') {
    const url = `http://${identity.host}/${LOOKUP_ENDPOINT}?key=forgeline`;
    const lookUpAccount = createAccountLookup({ url, ...lookupOptions });
    return createEmulatorVerifier({ projectId: identity.projectId, now, lookUpAccount });
  }
  if (identity.kind === 'firebase') {
    const { projectId, apiKey } = identity;
    const url = `${google.lookUp}?key=${encodeURIComponent(apiKey)}`;
    const lookUpAccount = createAccountLookup({ url, ...lookupOptions });
    const findKey = createGoogleKeyFinder({ url: google.keys, now });
    return createFirebaseVerifier({ projectId, now, lookUpAccount, findKey });
  }
  const { projectId, accountStatus, ...embedded } = dependencies.embedded!;
  const findKey = (kid: string) =>
    embedded.findKey(kid).catch(() => {
      throw identityProviderDown();
    });
  return createFirebaseVerifier({ projectId, now, findKey, lookUpAccount: accountStatus });
}
