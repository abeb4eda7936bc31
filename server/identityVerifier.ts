import type { Db } from './db/open';
import { EMBEDDED_PROJECT_ID, publicKeys } from './embedded/identity';
import { accountState } from './embedded/identity/accountState';
import { askIdentityToolkit } from './providers/accountState';
import { emulatorVerifier, firebaseVerifier } from './providers/firebase';
import { GOOGLE_KEYS, googleKeys } from './providers/googleKeys';
import type { IdentityVerifier } from './providers/identity';
import type { Settings } from './settings';

const LOOK_UP = 'identitytoolkit.googleapis.com/v1/accounts:lookup';

/** Where Google's services are: elsewhere in tests. */
export interface GoogleAt {
  keys: string;
  lookUp: string;
}
const GOOGLE: GoogleAt = { keys: GOOGLE_KEYS, lookUp: `https://${LOOK_UP}` };

type Wants = Pick<Settings, 'identity' | 'publicUrl'>;

/** Whose ID tokens this server believes, as its settings say. */
export function identityVerifier(
  { identity, publicUrl }: Wants,
  db: Db,
  now: () => Date,
  google = GOOGLE,
): IdentityVerifier {
  const referer = `${publicUrl}/`;
  if (identity.kind === 'emulator') {
    const askAccount = askIdentityToolkit({ url: `http://${identity.host}/${LOOK_UP}?key=forgeline`, referer, now });
    return emulatorVerifier({ projectId: identity.projectId, now, askAccount });
  }
  if (identity.kind === 'firebase') {
    const { projectId, apiKey } = identity;
    const askAccount = askIdentityToolkit({ url: `${google.lookUp}?key=${encodeURIComponent(apiKey)}`, referer, now });
    return firebaseVerifier({ projectId, now, askAccount, findKey: googleKeys({ url: google.keys, now }) });
  }
  const findKey = async (kid: string) => (await publicKeys(db, now())).keys.find((key) => key.kid === kid);
  return firebaseVerifier({ projectId: EMBEDDED_PROJECT_ID, now, findKey, askAccount: accountState(db) });
}
