import { storage } from '../storage';

/** The access token: in localStorage, as the document says, and nowhere in Redux. */
export const accessToken = {
  read: () => storage().accessToken ?? null,
  keep: (token: string) => void (storage().accessToken = token),
  forget: () => void delete storage().accessToken,
  /** Of the session that was just signed out, for DELETE /session: in memory only. */
  left: null as string | null,
};

/** Client secrets of payments by order id: in memory only. */
export const clientSecrets = new Map<string, string>();
