import { sql } from 'drizzle-orm';
import { putUser } from '../../../__tests__/support/api';
import { newEmail } from '../../../__tests__/support/customers';
import { call as callIdentity } from '../../../__tests__/support/identity';
import { openPaymentTestKit, type PaymentTestKit } from '../../../__tests__/support/payments';

const password = 'secret-1';
let shop: PaymentTestKit;
beforeAll(async () => void (shop = await openPaymentTestKit({ silent: true })));
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

describe('An address of the embedded identity', () => {
  // Clause C.5.4
  it('is free once the account that took it is deleted, and its orders are gone', async () => {
    const email = newEmail('squatted');
    const squatter = await squat(email);
    const { order, tool } = await shop.unpaid({ who: squatter });
    await callIdentity(shop.origin, 'delete', { idToken: squatter.idToken });
    const owner = await signUp(email);
    expect(await putUser(shop.origin, email, owner.idToken)).toMatchObject({ status: 200, body: { _id: owner.id } });
    expect([await shop.stateOf(order._id), await shop.available(tool.id)]).toEqual(['deleted', 100]);
  });

  it('is free once the account that took it has another one', async () => {
    const email = newEmail('moved');
    const squatter = await squat(email);
    await callIdentity(shop.origin, 'update', { idToken: squatter.idToken, email: `x.${email}` });
    const owner = await signUp(email);
    expect((await putUser(shop.origin, email, owner.idToken)).status).toBe(200);
  });

  it('stays with an admin whose account was deleted', async () => {
    const email = newEmail('chief');
    const squatter = await squat(email);
    await shop.deps.db.execute(sql`update users set role = 'admin' where id = ${squatter.id}`);
    await callIdentity(shop.origin, 'delete', { idToken: squatter.idToken });
    const next = await signUp(email);
    expect(await putUser(shop.origin, email, next.idToken)).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
  });
});
