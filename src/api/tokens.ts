import { browserStorage } from '../storage';

const KEY = 'accessToken';

/** The specification puts the access token into localStorage. It never enters Redux. */
export const accessToken = {
  read: () => browserStorage.read(KEY),
  write: (token: string) => browserStorage.write(KEY, token),
  remove: () => browserStorage.remove(KEY),
};

/** Tokens that exist in memory only. */
export const transientTokens = {
  /** The identity provider's, for PUT /user/{email}. */
  idToken: '',
  /** The access token of the session that just ended, for DELETE /session. */
  endedAccessToken: null as string | null,
};

/** Client secrets of payments by order id, in memory only. */
export const clientSecrets = new Map<string, string>();
