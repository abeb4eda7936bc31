import { CARDS } from '../../support/cards';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { expectEventually } from '../../support/wait';
import type { Customer } from '../../support/customers';
import type { Order } from '../../../src/contract/entities';

const clock = { ms: Date.now() };
let shop: PaymentTestKit;
let admin: Customer;
beforeAll(async () => {
  shop = await openPaymentTestKit({ now: () => new Date(clock.ms) });
  admin = await shop.createCustomer('admin');
});
afterAll(() => shop.close());

async function payWith(card: string) {
  const { customer, order, total, tool } = await shop.createUnpaidOrder();
  const { body } = await shop.createIntent(customer, order._id, total);
  const { intentId } = await shop.confirm(body.clientSecret, card);
  await shop.patchOrder(customer, order._id, intentId);
  const read = async () => {
    const found = await shop.call<Order>(admin, 'GET', `/order/${order._id}`);
    const { status, dispute, refundFailed, refundRequested } = found.body;
    return { status, dispute, refundFailed, refundRequested };
  };
  const refund = () =>
    shop.call<Order>(admin, 'POST', `/order/${order._id}/refund`, { reason: 'broken', restock: true });
  return { read, refund, intentId, tool };
}

const shown = (status: Order['status'], more: Partial<Order> = {}) => ({ status, dispute: null, ...more });

test('an order that an admin refunds is shown as refunded immediately, and its pieces are in stock again', async () => {
  const { refund, read, tool } = await payWith(CARDS.pays);
  expect(await refund()).toMatchObject({ status: 200, body: { status: 'refunded' } });
  expect(await shop.readAvailable(tool.id)).toBe(100);
  expect(await read()).toEqual(shown('refunded'));
});

test('an order whose refund is pending remains paid until the refund succeeds', async () => {
  const { refund, read } = await payWith(CARDS.refundPending);
  await refund();
  expect(await read()).toEqual(shown('paid', { refundRequested: true }));
  clock.ms += 10_000;
  await expectEventually(read, shown('refunded'));
});

test('if a refund first succeeds and then fails, its order shows the failure and the doctor reports it', async () => {
  const { refund, read, intentId } = await payWith(CARDS.refundFails);
  await refund();
  expect(await read()).toEqual(shown('refunded'));
  clock.ms += 10_000;
  await expectEventually(read, shown('refunded', { refundFailed: true }));
  expect(await shop.runAudit()).toMatchObject([{ name: 'refund_failed', subject: intentId }]);
});

test.each([
  [CARDS.disputedWon, 'won', 200],
  [CARDS.disputedLost, 'lost', 409],
] as const)('an order paid with card %s is disputed, and the dispute is then %s', async (card, end, refundStatus) => {
  const { refund, read } = await payWith(card);
  await expectEventually(read, shown('paid', { dispute: 'open' }));
  expect(await refund()).toMatchObject({ status: 409, body: { code: 'order_disputed' } });
  clock.ms += 30_000;
  await expectEventually(read, shown('paid', { dispute: end }));
  expect((await refund()).status).toBe(refundStatus);
});
