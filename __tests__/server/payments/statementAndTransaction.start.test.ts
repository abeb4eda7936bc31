import { sql } from 'drizzle-orm';
import { beginInOneStatement, beginInTransaction } from '../../../server/payments/startPayment';
import {
  NOW,
  TOTAL_DOLLARS,
  type OrderUnderTest,
  type OrderStateSetup,
  minutesFromNow,
  daysFromNow,
  updateOrder,
  endHold,
  sellOut,
  markPaid,
  setPrice,
  makePriceOld,
  insertAttempt,
} from './orderStates';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { compareImplementations, expectEqualOutcomes, type Implementations } from './compareImplementations';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true, now: () => NOW });
});
afterAll(() => testKit.close());

const requestFor = ({ order, owner }: OrderUnderTest) => ({
  orderId: order,
  ownerId: owner,
  totalPrice: TOTAL_DOLLARS,
});
const START_IMPLEMENTATIONS: Implementations<Awaited<ReturnType<typeof beginInTransaction>>> = {
  statement: (subject) => beginInOneStatement(testKit.deps, requestFor(subject)),
  transaction: (subject) => beginInTransaction(testKit.deps, requestFor(subject)),
  describeResult: (step) =>
    step.kind === 'create' ? `create ${step.attempt.n}${step.isTakenOver ? ', taken over' : ''}` : step.kind,
};

const START_CASES: [state: string, by: 'statement' | 'transaction', result: string, change: OrderStateSetup][] = [
  ['that holds its stock', 'statement', 'create 1', () => []],
  [
    'whose hold is near its latest possible end',
    'statement',
    'create 1',
    (s) => [updateOrder(s, sql`hold_until = ${minutesFromNow(5)}, hold_last_at = ${minutesFromNow(10)}`)],
  ],
  [
    'of an older release, without a latest possible end of its hold',
    'statement',
    'create 1',
    (s) => [updateOrder(s, sql`hold_last_at = null`)],
  ],
  [
    'whose claim expired when its server died',
    'statement',
    'create 1',
    (s) => [updateOrder(s, sql`deleting_until = ${minutesFromNow(-1)}`)],
  ],
  [
    'that another request has claimed',
    'transaction',
    'wait',
    (s) => [updateOrder(s, sql`deleting_until = ${minutesFromNow(1)}`)],
  ],
  ['whose hold has ended', 'transaction', 'create 1', (s) => endHold(s)],
  ['whose hold has ended, and that is sold out', 'transaction', 'out_of_stock', (s) => [...endHold(s), sellOut(s)]],
  ['that is paid', 'transaction', 'order_paid', (s) => [markPaid(s)]],
  [
    'that is deleted',
    'transaction',
    'not_found',
    (s) => endHold(s, sql`state = 'deleted', deleted_at = ${minutesFromNow(0)}`),
  ],
  ['without a price', 'transaction', 'order_unpriced', (s) => endHold(s, sql`state = 'unpriced', unit_price = null`)],
  ['of another total', 'transaction', 'total_mismatch', (s) => [updateOrder(s, sql`unit_price = 8`)]],
  ['of another total whose hold has ended', 'transaction', 'total_mismatch', (s) => endHold(s, sql`unit_price = 8`)],
  ['with an old price that is still current', 'transaction', 'create 1', (s) => [makePriceOld(s)]],
  ['with an old price that has changed', 'transaction', 'price_changed', (s) => [makePriceOld(s), setPrice(s, 8)]],
  [
    'whose customer accepts the new price',
    'transaction',
    'create 1',
    (s) => [updateOrder(s, sql`priced_at = ${daysFromNow(-8)}, unit_price = 6`), setPrice(s, 7)],
  ],
  [
    'with an open attempt at an old price',
    'transaction',
    'outdated',
    (s) => [makePriceOld(s), setPrice(s, 8), insertAttempt(s, { isIntentSaved: true })],
  ],
  ['whose attempt was canceled', 'transaction', 'create 2', (s) => [insertAttempt(s, { state: 'canceled' })]],
  ['with an intent', 'transaction', 'use', (s) => [insertAttempt(s, { isIntentSaved: true })]],
  [
    'with an intent, whose hold has ended',
    'transaction',
    'use',
    (s) => [...endHold(s), insertAttempt(s, { isIntentSaved: true })],
  ],
  ['whose payment another request is starting', 'transaction', 'wait', (s) => [insertAttempt(s, {})]],
  [
    'whose payment a server started before it died',
    'transaction',
    'create 1, taken over',
    (s) => [insertAttempt(s, { leaseMinutes: -1 })],
  ],
  [
    'after too many declined cards',
    'transaction',
    'too_many_declines',
    (s) => [insertAttempt(s, { state: 'canceled', refusedUntil: minutesFromNow(30) })],
  ],
  [
    'of another customer',
    'transaction',
    'not_found',
    (s) => [
      sql`insert into users (id) values (${`other than ${s.owner}`})`,
      updateOrder(s, sql`owner_id = ${`other than ${s.owner}`}`),
    ],
  ],
];

describe('The single-statement fast path and the transaction start a payment with the same result for an order', () => {
  it.each(START_CASES)('%s (started by the %s with the result %s)', async (_, by, result, change) => {
    const compared = await compareImplementations(testKit, change, START_IMPLEMENTATIONS);
    expect([compared.doneBy, compared.result]).toEqual([by, result]);
    expectEqualOutcomes(compared);
  });
});
