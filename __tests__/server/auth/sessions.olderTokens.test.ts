import { newEmail } from '../../support/customers';
import { googleClaimsOf, MINIMAL_ACCOUNT } from '../../support/googleTokens';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let clock = Date.now();
let shop: ShopWithGoogle;
beforeAll(async () => {
  shop = await startShopWithGoogle({ now: () => new Date(clock) });
});
beforeEach(() => void (clock += 1000));
afterEach(() => void (shop.google.state.account = MINIMAL_ACCOUNT));
afterAll(() => shop.close());

const PROFILE = { address: '1 Road', phone: '123', linkedIn: 'https://l.example/x' };
const reportNewPassword = (passwordUpdatedAt: number) =>
  void (shop.google.state.account = { users: [{ validSince: '1', passwordUpdatedAt }] });
const saveProfile = (token: string) => shop.call('/profile', { method: 'POST', token, body: PROFILE });
const readProfile = (email: string, token: string) => shop.call(`/profile/${email}`, { token });
const statusOf = async (email: string, token: string) => (await readProfile(email, token)).status;

async function signIn(email: string, claims = {}) {
  clock += 1;
  return shop.signInForToken(email, claims);
}

describe('The older tokens of a user', () => {
  // Clause C.5.6
  it('end with a new password that the identity provider reports', async () => {
    const email = newEmail('password');
    const older = await signIn(email);
    reportNewPassword(clock + 1);
    const [newer, newest] = [await signIn(email), await signIn(email)];
    expect([await statusOf(email, older), await statusOf(email, newer), await statusOf(email, newest)]).toEqual([
      401, 200, 200,
    ]);
  });

  it('stay ended when a later sign-in reports an earlier time', async () => {
    const email = newEmail('earlier');
    const older = await signIn(email);
    for (const passwordUpdatedAt of [clock + 1, clock - 60_000]) {
      reportNewPassword(passwordUpdatedAt);
      await signIn(email);
      expect(await statusOf(email, older)).toBe(401);
    }
  });

  it("do not include that of the current sign-in if the identity provider's clock is ahead", async () => {
    const email = newEmail('ahead');
    await signIn(email);
    reportNewPassword(clock + 30_000);
    expect(await statusOf(email, await signIn(email))).toBe(200);
  });

  // Clause C.5.6
  it('and the profile stay when the user proves the address', async () => {
    const email = newEmail('proof');
    const older = await signIn(email);
    await saveProfile(older);
    await signIn(email, { email_verified: true });
    expect((await readProfile(email, older)).body).toMatchObject({ address: PROFILE.address });
    await signIn(email, googleClaimsOf(email));
    expect((await readProfile(email, older)).body).toMatchObject({ address: PROFILE.address });
  });

  // Clause C.5.4
  it("end, and the profile is deleted, when a password account that never proved its address becomes one of Google's", async () => {
    const email = newEmail('joined');
    const older = await signIn(email);
    await saveProfile(older);
    const newer = await signIn(email, googleClaimsOf(email));
    expect(await statusOf(email, older)).toBe(401);
    expect((await readProfile(email, newer)).body).toMatchObject({ address: '', phone: '' });

    await saveProfile(newer);
    const newest = await signIn(email, googleClaimsOf(email));
    for (const token of [newer, newest])
      expect((await readProfile(email, token)).body).toMatchObject({ address: PROFILE.address });
  });
});
