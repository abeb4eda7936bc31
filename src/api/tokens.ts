import { browserStorage } from '../storage';

const KEY = 'accessToken';

/** The specification requires that the access token is in localStorage. It must never be in the Redux store. */
export const accessToken = {
  read: () => browserStorage.read(KEY),
  write: (token: string) => browserStorage.write(KEY, token),
  remove: () => browserStorage.remove(KEY),
};

/** Tokens that are kept only in memory. */
export const transientTokens = {
  /** The identity provider's token, which PUT /user/{email} sends. */
  idToken: '',
  /** The access token of a session that the user is ending, which DELETE /session sends. */
  endedAccessToken: null as string | null,
};

/** The client secrets of payments, by order id. They are kept only in memory. */
export const clientSecrets = new Map<string, string>();
