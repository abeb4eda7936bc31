import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ProblemError } from '../../../server/http/problems';
import type { PaymentIntent } from '../../../server/payments/provider';
import { recordInOneStatement, recordInTransaction } from '../../../server/payments/recordPayment';
import { beginInOneStatement, beginInTransaction } from '../../../server/payments/startPayment';
import {
  NOW,
  TOTAL,
  CENTS,
  type Subject,
  type Change,
  after,
  days,
  set,
  ended,
  soldOut,
  paid,
  priceOf,
  isOld,
  attempt,
  recorded,
  rowsOf,
} from '../../support/orderStates';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true, now: () => NOW });
});
afterAll(() => desk.close());

async function subjectIn(change: Change): Promise<Subject> {
  const { order, tool, who } = await desk.unpaid({ quantity: 2, price: 7 });
  const subject = { order: order._id, tool: tool.id, owner: who.id, intent: `pi_${randomUUID().replaceAll('-', '')}` };
  for (const statement of change(subject)) await desk.rows(statement);
  return subject;
}

/** What came of it: a result, or the code of a refusal. */
async function resultOf<T>(work: () => Promise<T>, name: (result: T) => string): Promise<string> {
  try {
    return name(await work());
  } catch (error) {
    const { code } = error as ProblemError;
    if (!code) throw error;
    return code;
  }
}

interface BothWays<T> {
  statement: (subject: Subject) => Promise<T | undefined>;
  transaction: (subject: Subject) => Promise<T>;
  name: (result: T) => string;
}

/** The statement first and then the transaction, as the shop does it; and the transaction alone. */
async function compare<T>(change: Change, { statement, transaction, name }: BothWays<T>) {
  const [one, other] = [await subjectIn(change), await subjectIn(change)];
  const before = await rowsOf(desk, one);
  const usual = await statement(one);
  const afterStatement = await rowsOf(desk, one);
  const result = usual ? name(usual) : await resultOf(() => transaction(one), name);
  const alone = await resultOf(() => transaction(other), name);
  return {
    result,
    alone,
    by: usual ? 'statement' : 'transaction',
    isTouched: JSON.stringify(before) !== JSON.stringify(afterStatement),
    rows: [await rowsOf(desk, one), await rowsOf(desk, other)],
  };
}

function expectTheSame({ result, alone, by, isTouched, rows }: Awaited<ReturnType<typeof compare>>) {
  expect(alone).toBe(result);
  expect(rows[0]).toEqual(rows[1]);
  expect(isTouched).toBe(by === 'statement');
}

const wanted = ({ order, owner }: Subject) => ({ orderId: order, ownerId: owner, totalPrice: TOTAL });
const START: BothWays<Awaited<ReturnType<typeof beginInTransaction>>> = {
  statement: (subject) => beginInOneStatement(desk.deps, wanted(subject)),
  transaction: (subject) => beginInTransaction(desk.deps, wanted(subject)),
  name: (step) =>
    step.kind === 'create' ? `create ${step.attempt.n}${step.takenOver ? ', taken over' : ''}` : step.kind,
};

const STARTED: [state: string, by: 'statement' | 'transaction', result: string, change: Change][] = [
  ['that holds its stock', 'statement', 'create 1', () => []],
  [
    'whose hold is near its last moment',
    'statement',
    'create 1',
    (s) => [set(s, sql`hold_until = ${after(5)}, hold_last_at = ${after(10)}`)],
  ],
  ['of a version without last moments', 'statement', 'create 1', (s) => [set(s, sql`hold_last_at = null`)]],
  ['that a server claimed and died', 'statement', 'create 1', (s) => [set(s, sql`deleting_until = ${after(-1)}`)]],
  ['that another request has claimed', 'transaction', 'wait', (s) => [set(s, sql`deleting_until = ${after(1)}`)]],
  ['whose hold has ended', 'transaction', 'create 1', (s) => ended(s)],
  ['whose hold has ended, and that is sold out', 'transaction', 'out_of_stock', (s) => [...ended(s), soldOut(s)]],
  ['that is paid', 'transaction', 'order_paid', (s) => [paid(s)]],
  ['that is deleted', 'transaction', 'not_found', (s) => ended(s, sql`state = 'deleted', deleted_at = ${after(0)}`)],
  ['without a price', 'transaction', 'order_unpriced', (s) => ended(s, sql`state = 'unpriced', unit_price = null`)],
  ['of another total', 'transaction', 'total_mismatch', (s) => [set(s, sql`unit_price = 8`)]],
  ['of another total whose hold has ended', 'transaction', 'total_mismatch', (s) => ended(s, sql`unit_price = 8`)],
  ['with an old price that is still right', 'transaction', 'create 1', (s) => [isOld(s)]],
  ['with an old price that has changed', 'transaction', 'price_changed', (s) => [isOld(s), priceOf(s, 8)]],
  [
    'whose customer accepts the new price',
    'transaction',
    'create 1',
    (s) => [set(s, sql`priced_at = ${days(-8)}, unit_price = 6`), priceOf(s, 7)],
  ],
  [
    'with an open attempt at an old price',
    'transaction',
    'outdated',
    (s) => [isOld(s), priceOf(s, 8), attempt(s, { isSaved: true })],
  ],
  ['whose attempt was canceled', 'transaction', 'create 2', (s) => [attempt(s, { state: 'canceled' })]],
  ['with an intent', 'transaction', 'use', (s) => [attempt(s, { isSaved: true })]],
  ['with an intent, whose hold has ended', 'transaction', 'use', (s) => [...ended(s), attempt(s, { isSaved: true })]],
  ['that another request begins to pay', 'transaction', 'wait', (s) => [attempt(s, {})]],
  ['that a server began to pay and died', 'transaction', 'create 1, taken over', (s) => [attempt(s, { lease: -1 })]],
  [
    'after too many declined cards',
    'transaction',
    'too_many_declines',
    (s) => [attempt(s, { state: 'canceled', refused: after(30) })],
  ],
  [
    'of another customer',
    'transaction',
    'not_found',
    (s) => [
      sql`insert into users (id) values (${`other than ${s.owner}`})`,
      set(s, sql`owner_id = ${`other than ${s.owner}`}`),
    ],
  ],
];

describe('A payment begins in the same way, by the statement and in the transaction, for an order', () => {
  it.each(STARTED)('%s: by the %s, %s', async (_, by, result, change) => {
    const compared = await compare(change, START);
    expect([compared.by, compared.result]).toEqual([by, result]);
    expectTheSame(compared);
  });
});

const moneyFor = ({ order, intent }: Subject, changed: Partial<PaymentIntent> = {}): PaymentIntent => ({
  id: intent,
  status: 'succeeded',
  amount: CENTS,
  amountReceived: CENTS,
  currency: 'usd',
  metadata: { order_id: order, attempt: '1' },
  clientSecret: null,
  hasCharge: true,
  createdAt: NOW,
  ...changed,
});

const RECORD = (changed?: Partial<PaymentIntent>): BothWays<Awaited<ReturnType<typeof recordInTransaction>>> => ({
  statement: (subject) => recordInOneStatement(desk.deps, moneyFor(subject, changed)),
  transaction: (subject) => recordInTransaction(desk.deps, moneyFor(subject, changed)),
  name: ({ outcome, stockTaken }) => `${outcome}${stockTaken ? ', stock taken' : ''}`,
});

type Row = [
  string,
  'statement' | 'transaction',
  result: string,
  reason: string | null,
  Change,
  Partial<PaymentIntent>?,
];
const open: Change = (s) => [attempt(s, { isSaved: true })];
const RECORDED: Row[] = [
  ['that holds its stock', 'statement', 'paid', null, open],
  ['whose intent was not saved', 'statement', 'paid', null, (s) => [attempt(s, {})]],
  ['whose attempt was canceled', 'statement', 'paid', null, (s) => [attempt(s, { state: 'canceled', isSaved: true })]],
  ['without an attempt', 'statement', 'paid', null, () => []],
  [
    'that another request has claimed',
    'statement',
    'paid',
    null,
    (s) => [...open(s), set(s, sql`deleting_until = ${after(1)}`)],
  ],
  ['whose hold has ended', 'transaction', 'paid, stock taken', null, (s) => [...open(s), ...ended(s)]],
  [
    'whose hold has ended, and that is sold out',
    'transaction',
    'refund due',
    'out of stock',
    (s) => [...open(s), ...ended(s), soldOut(s)],
  ],
  ['that another payment has paid', 'transaction', 'refund due', 'paid order', (s) => [...open(s), paid(s)]],
  [
    'that is deleted',
    'transaction',
    'refund due',
    'deleted order',
    (s) => [...open(s), ...ended(s, sql`state = 'deleted', deleted_at = ${after(0)}`)],
  ],
  [
    'without a price',
    'transaction',
    'refund due',
    'unpriced order',
    (s) => [...open(s), ...ended(s, sql`state = 'unpriced', unit_price = null`)],
  ],
  ['of another price', 'transaction', 'refund due', 'other amount', (s) => [...open(s), set(s, sql`unit_price = 8`)]],
  ['with too little money', 'transaction', 'refund due', 'other amount', open, { amountReceived: CENTS - 1 }],
  ['with money in another currency', 'transaction', 'refund due', 'other amount', open, { currency: 'eur' }],
  ['of which it is recorded already', 'transaction', 'paid', null, (s) => [...open(s), paid(s), recorded(s, 'paid')]],
  [
    'of which a refund is due already',
    'transaction',
    'refund due',
    'a test',
    (s) => [...open(s), recorded(s, 'refund due')],
  ],
];

describe('Money is recorded in the same way, by the statement and in the transaction, for an order', () => {
  it.each(RECORDED)('%s: by the %s, %s', async (_, by, result, reason, ...[change, changed]) => {
    const compared = await compare(change, RECORD(changed));
    expect([compared.by, compared.result]).toEqual([by, result]);
    const { amountReceived, currency } = { amountReceived: CENTS, currency: 'usd', ...changed };
    const cents = result === 'refund due' && reason === 'a test' ? CENTS : amountReceived;
    expect(compared.rows[0]!['payments']).toEqual([[true, result.split(',')[0], cents, currency, reason]]);
    expectTheSame(compared);
  });
});

it('Money for an order that does not exist must be refunded, once', async () => {
  const subject = await subjectIn(() => []);
  const money = moneyFor({ ...subject, order: randomUUID() });
  expect(await recordInOneStatement(desk.deps, money)).toBeUndefined();
  const due = { outcome: 'refund due', stockTaken: false };
  expect([await recordInTransaction(desk.deps, money), await recordInTransaction(desk.deps, money)]).toEqual([
    due,
    due,
  ]);
  expect(await desk.rows(sql`select order_id, reason from payments where intent_id = ${money.id}`)).toEqual([
    { order_id: null, reason: 'unknown order' },
  ]);
});
