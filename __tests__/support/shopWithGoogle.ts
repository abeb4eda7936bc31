import { callShop, putUser } from './calls';
import { claimsOf, FIREBASE_ENV, signed, startGoogle } from './google';
import { startShop } from './shop';

type Options = Parameters<typeof startShop>[0];
type Claims = Record<string, unknown>;

/** The shop with Firebase settings, and a Google that says of anybody what the test wants. */
export async function startShopWithGoogle({ env, ...options }: NonNullable<Options> = {}) {
  const google = await startGoogle();
  const shop = await startShop({ ...options, env: { ...FIREBASE_ENV, ...env }, google: google.at });
  const now = options.now ?? (() => new Date());
  const idToken = (email: string, claims: Claims = {}) => signed(claimsOf(email, now(), claims), google.key);
  const close = async () => {
    await shop.close();
    await google.stop();
  };
  return {
    ...shop,
    google,
    close,
    idToken,
    /** Signs in and returns the shop's answer. */
    arrive: async (email: string, claims: Claims = {}) => putUser(shop.origin, email, await idToken(email, claims)),
    /** Signs in and returns the shop's token. */
    async tokenOf(email: string, claims: Claims = {}) {
      const { body, status } = await putUser(shop.origin, email, await idToken(email, claims));
      if (!body.token) throw new Error(`${email} was not let in: ${status} ${body.code}`);
      return body.token;
    },
    call: (path: string, given: Parameters<typeof callShop>[2] = {}) => callShop(shop.origin, path, given),
  };
}

export type ShopWithGoogle = Awaited<ReturnType<typeof startShopWithGoogle>>;

let made = 0;
export const newAddress = (name = 'person') => `${name}.${process.pid}.${(made += 1)}@shop.example`;
