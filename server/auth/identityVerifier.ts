import type { Db } from '../db/database';
import { cachedKeys, EMBEDDED_PROJECT_ID, publicKeys } from '../../embedded/firebase-auth';
import { accountState, hasAccount } from '../../embedded/firebase-auth/accountState';
import { askIdentityToolkit } from './accountStatus';
import { emulatorVerifier, firebaseVerifier } from './firebaseTokens';
import { GOOGLE_KEYS, googleKeys } from './googleKeys';
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

interface Around {
  db: Db;
  now: () => Date;
  onLookUpFailure: (reason: string) => void;
  google?: GoogleAt;
}

/** Whose ID tokens this server believes, as its settings say. */
export function identityVerifier({ identity, publicUrl }: Wants, around: Around): IdentityVerifier {
  const { db, now, onLookUpFailure: onFailure, google = GOOGLE } = around;
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
  const keyNamed = cachedKeys(() => publicKeys(db, now()));
  const findKey = (kid: string) =>
    keyNamed(kid).catch(() => {
      throw new IdentityProviderDown();
    });
  const verifier = firebaseVerifier({ projectId: EMBEDDED_PROJECT_ID, now, findKey, askAccount: accountState(db) });
  return { ...verifier, hasAccount: hasAccount(db) };
}
