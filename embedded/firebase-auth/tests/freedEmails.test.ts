import { sql } from 'drizzle-orm';
import { putUser } from '../../../__tests__/support/api';
import { newEmail } from '../../../__tests__/support/customers';
import { callAccounts as callIdentity } from '../../../__tests__/support/identity';
import { openPaymentTestKit, type PaymentTestKit } from '../../../__tests__/support/payments';

const password = 'secret-1';
let shop: PaymentTestKit;
beforeAll(async () => void (shop = await openPaymentTestKit({ withoutWebhooks: true })));
afterAll(() => shop.close());

async function signUp(email: string) {
  const { body } = await callIdentity(shop.origin, 'signUp', { email, password, returnSecureToken: true });
  return { id: String(body['localId']), idToken: String(body['idToken']) };
}
async function squat(email: string) {
  const { id, idToken } = await signUp(email);
  const { body } = await putUser(shop.origin, email, idToken);
  return { id, idToken, email, token: String(body.token) };
}

describe('an email at the embedded identity provider', () => {
  // Clause C.5.3
  it("can be reused after its account is deleted, and the new owner's sign-in deletes the former owner's unpaid orders", async () => {
    const email = newEmail('squatted');
    const squatter = await squat(email);
    const { order, tool } = await shop.createUnpaidOrder({ customer: squatter });
    await callIdentity(shop.origin, 'delete', { idToken: squatter.idToken });
    const owner = await signUp(email);
    expect(await putUser(shop.origin, email, owner.idToken)).toMatchObject({ status: 200, body: { _id: owner.id } });
    expect([await shop.stateOf(order._id), await shop.readAvailable(tool.id)]).toEqual(['deleted', 100]);
  });

  it('can be reused after its account changes to another email', async () => {
    const email = newEmail('moved');
    const squatter = await squat(email);
    await callIdentity(shop.origin, 'update', { idToken: squatter.idToken, email: `x.${email}` });
    const owner = await signUp(email);
    expect((await putUser(shop.origin, email, owner.idToken)).status).toBe(200);
  });

  it("cannot be reused if the deleted account was an admin's", async () => {
    const email = newEmail('chief');
    const squatter = await squat(email);
    await shop.deps.db.execute(sql`update users set role = 'admin' where id = ${squatter.id}`);
    await callIdentity(shop.origin, 'delete', { idToken: squatter.idToken });
    const newOwner = await signUp(email);
    expect(await putUser(shop.origin, email, newOwner.idToken)).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
  });
});
