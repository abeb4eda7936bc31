const KEY = 'accessToken';

/** The access token: in localStorage, as the document says, and nowhere in Redux. */
export const accessToken = {
  read: () => localStorage.getItem(KEY),
  keep: (token: string) => localStorage.setItem(KEY, token),
  forget: () => localStorage.removeItem(KEY),
};

/** Client secrets of payments by order id: in memory only. */
export const clientSecrets = new Map<string, string>();
