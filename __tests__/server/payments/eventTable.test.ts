import { sql } from 'drizzle-orm';
import {
  outcomeOf,
  EVENTS,
  ORDER_STATES,
  type EventOutcome,
  type EventName,
  type OrderStateName,
} from './eventOutcomes';
import { createEventTestOrder, createRawEvent, type EventTestOrder } from './eventTestOrders';
import { openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterAll(() => kit.close());

interface Outcome {
  status: string;
  hasOpenAttempt: boolean;
  dispute: string | null;
  refundFailed: boolean;
  /** The number of refunds of the payment at the provider, without failed ones. */
  refunds: number;
  /** Whether the payment came too late for the order, and whether it was returned. */
  late: 'no' | 'due' | 'returned';
}

const STATUS: Record<OrderStateName, string> = {
  ...{ unpriced: 'unpriced', unpaid: 'unpaid', 'unpaid, open attempt': 'unpaid', deleted: 'deleted' },
  ...{ paid: 'paid', shipped: 'shipped', 'refund requested': 'paid', refunded: 'refunded' },
};

const CHANGES: Record<EventOutcome, Partial<Outcome>> = {
  'no change': {},
  paid: { status: 'paid', hasOpenAttempt: false },
  'attempt ends': { hasOpenAttempt: false },
  refunded: { status: 'refunded', hasOpenAttempt: false, refunds: 1 },
  'refunded (sweep)': { status: 'refunded', refunds: 1 },
  'refunded (sweep), shown': { status: 'refunded', refunds: 1 },
  'refund failed': { refundFailed: true, refunds: 0 },
  'refund failed (sweep)': { refundFailed: true },
  'refund failed (sweep), shown': { refundFailed: true },
  shown: {},
  'paid, shown': { status: 'paid', hasOpenAttempt: false },
  'money returned': { late: 'returned', refunds: 1 },
  'money returned (sweep)': { late: 'returned', refunds: 1 },
  'money kept': { late: 'due' },
};

/** What only the sweep does is missing before. A payment that came too late is then due to be returned. */
const CHANGES_BEFORE_SWEEP: Partial<Record<EventOutcome, Partial<Outcome>>> = {
  'refunded (sweep)': {},
  'refunded (sweep), shown': {},
  'refund failed (sweep)': {},
  'refund failed (sweep), shown': {},
  'money returned (sweep)': { late: 'due' },
};

function expectedOutcome(state: OrderStateName, event: EventName, isBeforeSweep = false): Outcome {
  const end = outcomeOf(state, event);
  return {
    status: STATUS[state],
    hasOpenAttempt: state === 'unpaid, open attempt',
    dispute: end.endsWith('shown') ? (event.split(', ')[1] ?? 'open') : null,
    refundFailed: false,
    refunds: state === 'refunded' ? 1 : 0,
    late: 'no',
    ...((isBeforeSweep && CHANGES_BEFORE_SWEEP[end]) || CHANGES[end]),
  };
}

async function readOutcome({ id, intentId }: EventTestOrder): Promise<Outcome> {
  const [row] = await kit.queryRows(sql`
    select case when state = 'paid' and shipped_at is not null then 'shipped' else state end as status, dispute,
      refund_failed as "refundFailed",
      exists (select from payment_attempts a where a.order_id = o.id and a.state = 'open') as "hasOpenAttempt",
      coalesce((select case when outcome = 'paid' then 'no' when returned_at is null then 'due' else 'returned' end
        from payments where intent_id = ${intentId}), 'no') as late
    from orders o where id = ${id}`);
  const refunds = (await kit.listRefunds(intentId)).filter(({ status }) => status !== 'failed').length;
  return { ...(row as unknown as Outcome), refunds };
}

const isOfPayment = (event: EventName) => event.startsWith('payment_intent.');

/**
 * `npm run verify -- sequences` combines all events with others. Other runs do so with one event of
 * refunds and one of disputes.
 */
const isCombined = (event: EventName) =>
  process.env['ALL_SEQUENCES'] === 'true' || event === 'refund.failed' || event === 'charge.dispute.closed, lost';

/**
 * The event alone, the event twice, and the event before and after the event that reports its payment or the start of
 * its dispute.
 */
function arrivalsOf(event: EventName): EventName[][] {
  const beforeAndAfter = (other: EventName): EventName[][] => [
    [other, event],
    [event, other],
  ];
  if (!isCombined(event)) return [[event]];
  return [
    [event],
    [event, event],
    ...(isOfPayment(event) ? [] : beforeAndAfter('payment_intent.succeeded')),
    ...(event.includes('closed') ? beforeAndAfter('charge.dispute.created') : []),
  ];
}

async function deliver(subject: EventTestOrder, events: EventName[]): Promise<void> {
  for (const event of events) {
    const { status } = await kit.sendWebhook(createRawEvent(subject, event));
    expect([subject.state, event, status]).toEqual([subject.state, event, 200]);
  }
}

const CASES = EVENTS.flatMap((event) => arrivalsOf(event).map((arrival) => [event, arrival.join(', then ')] as const));

describe('Orders in eight states change as the table says for', () => {
  it.each(CASES)('the case %s (webhooks in order of arrival: %s)', async (event, arrival) => {
    const events = arrivalsOf(event).find((candidate) => candidate.join(', then ') === arrival)!;
    const subjects: EventTestOrder[] = [];
    for (const state of ORDER_STATES) subjects.push(await createEventTestOrder(kit, state, event));
    for (const subject of subjects) await deliver(subject, events);
    for (const subject of subjects)
      expect([subject.state, await readOutcome(subject)]).toEqual([
        subject.state,
        expectedOutcome(subject.state, event, true),
      ]);
    await kit.sweep();
    for (const subject of subjects)
      expect([subject.state, await readOutcome(subject)]).toEqual([
        subject.state,
        expectedOutcome(subject.state, event),
      ]);
    expect(await kit.countWrongStocks()).toBe(0);
  });
});
