import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { openPool } from '../../../server/db/database';
import type { PaymentIntent } from '../../../server/payments/provider';
import { recordInOneStatement, recordInTransaction } from '../../../server/payments/recordPayment';
import {
  NOW,
  TOTAL_CENTS,
  type OrderUnderTest,
  type OrderStateSetup,
  minutesFromNow,
  updateOrder,
  endHold,
  sellOut,
  markPaid,
  insertAttempt,
  insertPayment,
} from './orderStates';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import {
  compareImplementations,
  createOrderUnderTest,
  expectEqualOutcomes,
  type Implementations,
} from './compareImplementations';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true, now: () => NOW });
});
afterAll(() => testKit.close());

const succeededIntent = ({ order, intent }: OrderUnderTest, changed: Partial<PaymentIntent> = {}): PaymentIntent => ({
  id: intent,
  status: 'succeeded',
  amountCents: TOTAL_CENTS,
  receivedCents: TOTAL_CENTS,
  currency: 'usd',
  metadata: { order_id: order, attempt: '1' },
  clientSecret: null,
  hasCharge: true,
  card: { brand: 'visa', last4: '4242' },
  ...changed,
});

const recordImplementations = (
  changed?: Partial<PaymentIntent>,
): Implementations<Awaited<ReturnType<typeof recordInTransaction>>> => ({
  statement: (subject) => recordInOneStatement(testKit.deps, succeededIntent(subject, changed)),
  transaction: (subject) => recordInTransaction(testKit.deps, succeededIntent(subject, changed)),
  describeResult: ({ outcome, stockTaken }) => `${outcome}${stockTaken ? ', stock taken' : ''}`,
});

type RecordCase = [
  string,
  'statement' | 'transaction',
  result: string,
  reason: string | null,
  OrderStateSetup,
  Partial<PaymentIntent>?,
];
const insertOpenAttempt: OrderStateSetup = (s) => [insertAttempt(s, { isIntentSaved: true })];
const RECORD_CASES: RecordCase[] = [
  ['that holds its stock', 'statement', 'paid', null, insertOpenAttempt],
  ['whose intent was not saved', 'statement', 'paid', null, (s) => [insertAttempt(s, {})]],
  [
    'whose attempt was canceled',
    'statement',
    'paid',
    null,
    (s) => [insertAttempt(s, { state: 'canceled', isIntentSaved: true })],
  ],
  ['without an attempt', 'statement', 'paid', null, () => []],
  [
    'that another request has claimed',
    'statement',
    'paid',
    null,
    (s) => [...insertOpenAttempt(s), updateOrder(s, sql`deleting_until = ${minutesFromNow(1)}`)],
  ],
  ['whose hold has ended', 'transaction', 'paid, stock taken', null, (s) => [...insertOpenAttempt(s), ...endHold(s)]],
  [
    'whose hold has ended, and that is sold out',
    'transaction',
    'refund due',
    'out of stock',
    (s) => [...insertOpenAttempt(s), ...endHold(s), sellOut(s)],
  ],
  [
    'that another payment has paid',
    'transaction',
    'refund due',
    'paid order',
    (s) => [...insertOpenAttempt(s), markPaid(s)],
  ],
  [
    'that is deleted',
    'transaction',
    'refund due',
    'deleted order',
    (s) => [...insertOpenAttempt(s), ...endHold(s, sql`state = 'deleted', deleted_at = ${minutesFromNow(0)}`)],
  ],
  [
    'without a price',
    'transaction',
    'refund due',
    'unpriced order',
    (s) => [...insertOpenAttempt(s), ...endHold(s, sql`state = 'unpriced', unit_price = null`)],
  ],
  [
    'of another price',
    'transaction',
    'refund due',
    'other amount',
    (s) => [...insertOpenAttempt(s), updateOrder(s, sql`unit_price = 8`)],
  ],
  [
    'with too little money',
    'transaction',
    'refund due',
    'other amount',
    insertOpenAttempt,
    { receivedCents: TOTAL_CENTS - 1 },
  ],
  [
    'with money in another currency',
    'transaction',
    'refund due',
    'other amount',
    insertOpenAttempt,
    { currency: 'eur' },
  ],
  [
    'whose payment is already recorded',
    'transaction',
    'paid',
    null,
    (s) => [...insertOpenAttempt(s), markPaid(s), insertPayment(s, 'paid')],
  ],
  [
    'whose refund is already due',
    'transaction',
    'refund due',
    'a test',
    (s) => [...insertOpenAttempt(s), insertPayment(s, 'refund due')],
  ],
];

describe('The single-statement fast path and the transaction record a payment with the same result for an order', () => {
  it.each(RECORD_CASES)('%s (recorded by the %s as %s)', async (_, by, result, reason, ...[change, changed]) => {
    const compared = await compareImplementations(testKit, change, recordImplementations(changed));
    expect([compared.doneBy, compared.result]).toEqual([by, result]);
    const { receivedCents, currency } = { receivedCents: TOTAL_CENTS, currency: 'usd', ...changed };
    const cents = result === 'refund due' && reason === 'a test' ? TOTAL_CENTS : receivedCents;
    expect(compared.rows[0]!['payments']).toEqual([[true, result.split(',')[0], cents, currency, reason]]);
    expectEqualOutcomes(compared);
  });
});

it('a payment for an order that does not exist is recorded once, as money to refund', async () => {
  const subject = await createOrderUnderTest(testKit, () => []);
  const intent = succeededIntent({ ...subject, order: randomUUID() });
  expect(await recordInOneStatement(testKit.deps, intent)).toBeUndefined();
  const refundDue = { outcome: 'refund due', stockTaken: false };
  expect([await recordInTransaction(testKit.deps, intent), await recordInTransaction(testKit.deps, intent)]).toEqual([
    refundDue,
    refundDue,
  ]);
  expect(await testKit.queryRows(sql`select order_id, reason from payments where intent_id = ${intent.id}`)).toEqual([
    { order_id: null, reason: 'unknown order' },
  ]);
});

it('a failure of the database is not taken for a payment that is recorded already', async () => {
  const subject = await createOrderUnderTest(testKit, () => []);
  const db = openPool(testKit.database!.connection, () => undefined);
  await db.$client.end();
  await expect(recordInOneStatement({ ...testKit.deps, db }, succeededIntent(subject))).rejects.toThrow('Failed query');
});
