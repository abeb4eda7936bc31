import { askIdentityToolkit, type AskAccount } from './accountStatus';
import { emulatorVerifier, firebaseVerifier } from './firebaseTokens';
import { GOOGLE_KEYS, googleKeys, type FindKey } from './googleKeys';
import { IdentityProviderDown, type IdentityVerifier } from './identityProvider';
import type { Settings } from '../settings';

const LOOK_UP = 'identitytoolkit.googleapis.com/v1/accounts:lookup';

/** Where Google's services are: elsewhere in tests. */
export interface GoogleAt {
  keys: string;
  lookUp: string;
}
const GOOGLE: GoogleAt = { keys: GOOGLE_KEYS, lookUp: `https://${LOOK_UP}` };

type Wants = Pick<Settings, 'identity' | 'publicUrl'>;

/** The embedded identity service, which is asked in process. */
export interface EmbeddedIdentity {
  projectId: string;
  findKey: FindKey;
  accountStatus: AskAccount;
  hasAccount: NonNullable<IdentityVerifier['hasAccount']>;
}

interface Around {
  now: () => Date;
  onLookUpFailure: (reason: string) => void;
  google?: GoogleAt;
  /** Needed where the settings name no other provider. */
  embedded?: EmbeddedIdentity;
}

/** Whose ID tokens this server believes, as its settings say. */
export function identityVerifier({ identity, publicUrl }: Wants, around: Around): IdentityVerifier {
  const { now, onLookUpFailure: onFailure, google = GOOGLE } = around;
  const asking = { referer: `${publicUrl}/`, now, onFailure };
  if (identity.kind === 'emulator') {
    const askAccount = askIdentityToolkit({ url: `http://${identity.host}/${LOOK_UP}?key=forgeline`, ...asking });
    return emulatorVerifier({ projectId: identity.projectId, now, askAccount });
  }
  if (identity.kind === 'firebase') {
    const { projectId, apiKey } = identity;
    const askAccount = askIdentityToolkit({ url: `${google.lookUp}?key=${encodeURIComponent(apiKey)}`, ...asking });
    return firebaseVerifier({ projectId, now, askAccount, findKey: googleKeys({ url: google.keys, now }) });
  }
  const { projectId, accountStatus, hasAccount, ...embedded } = around.embedded!;
  const findKey = (kid: string) =>
    embedded.findKey(kid).catch(() => {
      throw new IdentityProviderDown();
    });
  return { ...firebaseVerifier({ projectId, now, findKey, askAccount: accountStatus }), hasAccount };
}
