import { checkOpenAttempts } from '../../../server/payments/reconcile';
import { reconcile } from '../../../server/payments/reconcile';
import { expectEventually } from '../../support/wait';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const CONFIRM = /\/confirm$/;
let isLost = false;
const faults = {
  onCall: ({ path }: { path: string }) => (isLost && CONFIRM.test(path) ? { drop: true } : undefined),
};

/** The card is charged, and the browser never hears of it. */
async function lostConfirm(desk: PaymentTestKit) {
  const made = await desk.unpaid();
  const { body } = await desk.ask(made.who, made.order._id, made.total);
  isLost = true;
  await expect(desk.confirm(body.clientSecret)).rejects.toThrow('fetch failed');
  isLost = false;
  expect(await desk.charges(made.order._id)).toBe(1);
  const [intentId = ''] = body.clientSecret.split('_secret_');
  return { ...made, intentId, clientSecret: body.clientSecret };
}

async function expectPaidOnce(desk: PaymentTestKit, { who, order, intentId }: Awaited<ReturnType<typeof lostConfirm>>) {
  expect((await desk.call(who, 'GET', `/order/${order._id}`)).body).toMatchObject({
    paid: true,
    transactionId: intentId,
  });
  expect((await desk.patch(who, order._id, intentId)).status).toBe(200);
  expect([await desk.charges(order._id), await desk.count('payments', order._id)]).toEqual([1, 1]);
  expect(await desk.findings()).toEqual([]);
}

describe('A charge whose answer is lost', () => {
  let desk: PaymentTestKit;
  beforeAll(async () => {
    desk = await openPaymentTestKit({ silent: true, faults });
  });
  afterAll(() => desk.close());

  it.each([
    ['its check of open attempts', checkOpenAttempts],
    ['its comparison with the provider', reconcile],
  ])('pays the order when the sweep runs: by %s', async (_by, part) => {
    const made = await lostConfirm(desk);
    expect(await desk.stateOf(made.order._id)).toBe('unpaid');
    await part(desk.deps);
    await expectPaidOnce(desk, made);
  });

  it('is not made twice when the browser confirms again', async () => {
    const made = await lostConfirm(desk);
    const again = await desk.confirm(made.clientSecret);
    expect(again.error?.code).toBe('payment_intent_unexpected_state');
    expect((await desk.patch(made.who, made.order._id, made.intentId)).status).toBe(200);
    await expectPaidOnce(desk, made);
  });
});

it('A charge whose answer is lost pays the order by the webhook alone', async () => {
  const desk = await openPaymentTestKit({ faults });
  try {
    const made = await lostConfirm(desk);
    await expectEventually(() => desk.stateOf(made.order._id), 'paid');
    await expectPaidOnce(desk, made);
  } finally {
    await desk.close();
  }
});
