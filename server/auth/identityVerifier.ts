import { createAccountLookUp, type LookUpAccount } from './accountStatus';
import { createEmulatorVerifier, createFirebaseVerifier } from './firebaseTokens';
import { GOOGLE_KEYS, createGoogleKeyFinder, type FindKey } from './googleKeys';
import { IdentityProviderDown, type IdentityVerifier } from './identityProvider';
import type { Settings } from '../settings';

const LOOK_UP = 'identitytoolkit.googleapis.com/v1/accounts:lookup';

/** The addresses of Google's services. Tests replace them. */
export interface GoogleEndpoints {
  keys: string;
  lookUp: string;
}
const GOOGLE: GoogleEndpoints = { keys: GOOGLE_KEYS, lookUp: `https://${LOOK_UP}` };

type VerifierSettings = Pick<Settings, 'identity' | 'publicUrl'>;

/** The embedded identity service, which is called in process. */
export interface EmbeddedIdentity {
  projectId: string;
  findKey: FindKey;
  accountStatus: LookUpAccount;
  hasAccount: NonNullable<IdentityVerifier['hasAccount']>;
}

interface VerifierDependencies {
  now: () => Date;
  onLookUpFailure: (reason: string) => void;
  google?: GoogleEndpoints;
  /** Required if the settings name no other provider. */
  embedded?: EmbeddedIdentity;
}

/** Creates the verifier for the identity provider that the settings name. */
export function createIdentityVerifier(
  { identity, publicUrl }: VerifierSettings,
  dependencies: VerifierDependencies,
): IdentityVerifier {
  const { now, onLookUpFailure: onFailure, google = GOOGLE } = dependencies;
  const lookUpOptions = { referer: `${publicUrl}/`, now, onFailure };
  if (identity.kind === 'emulator') {
    const url = `http://${identity.host}/${LOOK_UP}?key=forgeline`;
    const lookUpAccount = createAccountLookUp({ url, ...lookUpOptions });
    return createEmulatorVerifier({ projectId: identity.projectId, now, lookUpAccount });
  }
  if (identity.kind === 'firebase') {
    const { projectId, apiKey } = identity;
    const url = `${google.lookUp}?key=${encodeURIComponent(apiKey)}`;
    const lookUpAccount = createAccountLookUp({ url, ...lookUpOptions });
    const findKey = createGoogleKeyFinder({ url: google.keys, now });
    return createFirebaseVerifier({ projectId, now, lookUpAccount, findKey });
  }
  const { projectId, accountStatus, hasAccount, ...embedded } = dependencies.embedded!;
  const findKey = (kid: string) =>
    embedded.findKey(kid).catch(() => {
      throw new IdentityProviderDown();
    });
  return { ...createFirebaseVerifier({ projectId, now, findKey, lookUpAccount: accountStatus }), hasAccount };
}
