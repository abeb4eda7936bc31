import { browserStorage } from '../storage';

const KEY = 'accessToken';

/** The access token: in localStorage, as the specification says, and nowhere in Redux. */
export const accessToken = {
  read: () => browserStorage.read(KEY),
  keep: (token: string) => browserStorage.write(KEY, token),
  forget: () => browserStorage.remove(KEY),
};

/** Tokens that are kept in memory only. */
export const transientTokens = {
  /** The identity provider's, for PUT /user/{email}. */
  idToken: '',
  /** Of the session that was just signed out, for DELETE /session. */
  endedAccessToken: null as string | null,
};

/** Client secrets of payments by order id: in memory only. */
export const clientSecrets = new Map<string, string>();
