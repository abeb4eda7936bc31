import type Stripe from 'stripe';
import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, newIntent, pay, startSandbox, stripeErrorOf } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

const DAY_MS = 24 * 3_600_000;
const clock = { ms: Date.now() };
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandboxServer = await startSandbox({ now: () => new Date(clock.ms) });
  sandboxServer.sandbox.start();
});
afterAll(() => sandboxServer.close());

async function newDispute(card = CARDS.disputed) {
  const intent = await newIntent(sandboxServer.stripe);
  const { status, latest_charge } = await pay(sandboxServer.stripe, intent.id, card);
  const { data } = await sandboxServer.stripe.disputes.list({ payment_intent: intent.id });
  return { status, intentId: intent.id, charge: latest_charge as string, dispute: data[0]! };
}

const read = (id: string) => sandboxServer.stripe.disputes.retrieve(id);
const waitForStatus = (id: string, status: string) => waitUntil(async () => (await read(id)).status === status);
const submit = (id: string, uncategorized_text: string) =>
  sandboxServer.stripe.disputes.update(id, { evidence: { uncategorized_text }, submit: true });

async function eventsOf(id: string): Promise<Stripe.Event[]> {
  const { rows } = await sandboxServer.db.$client.query<{ body: Stripe.Event }>(
    `select body from embedded_stripe.events where body #>> '{data,object,id}' = $1 order by created_at, type`,
    [id],
  );
  return rows.map(({ body }) => body);
}
const typesOf = async (id: string) =>
  (await eventsOf(id)).map(({ type }) => type.replace('charge.dispute.', '')).join(', ');

test.each([
  [CARDS.disputed, 'fraudulent', 'needs_response', 'chargeback', '10.4', 'created, funds_withdrawn'],
  [
    CARDS.disputedNotReceived,
    'product_not_received',
    'needs_response',
    'chargeback',
    '13.1',
    'created, funds_withdrawn',
  ],
  [CARDS.disputedInquiry, 'fraudulent', 'warning_needs_response', 'inquiry', '10', 'created'],
])(
  'card %s pays, and its charge is disputed as %s with the status %s',
  async (card, reason, status, case_type, code, types) => {
    const paid = await newDispute(card);
    const { dispute, intentId, charge } = paid;
    expect(paid.status).toBe('succeeded');
    expect(dispute).toMatchObject({ amount: 2400, charge, payment_intent: intentId, reason, status });
    expect(dispute.id).toMatch(/^du_/);
    expect(dispute.payment_method_details?.card).toMatchObject({ case_type, network_reason_code: code });
    expect(dispute.is_charge_refundable).toBe(case_type === 'inquiry');
    expect(dispute.balance_transactions.map(({ net }) => net)).toEqual(case_type === 'inquiry' ? [] : [-3900]);
    const days = (dispute.evidence_details.due_by! * 1000 - clock.ms) / DAY_MS;
    expect([days > 8, days < 9]).toEqual([true, true]);
    expect(await typesOf(dispute.id)).toBe(types);
    for (const { data } of await eventsOf(dispute.id)) expect(data).not.toHaveProperty('previous_attributes');
    const [listed] = (await sandboxServer.stripe.charges.list({ payment_intent: intentId })).data;
    expect(listed).toMatchObject({ disputed: true, refunded: false });
  },
);

test.each([
  ['winning_evidence', 'won', 'funds_reinstated'],
  ['losing_evidence', 'lost', undefined],
])('%s ends a dispute as %s', async (evidence, status, extraEvent) => {
  const { dispute } = await newDispute();
  const submitted = await submit(dispute.id, evidence);
  expect(submitted).toMatchObject({
    status: 'under_review',
    evidence: { uncategorized_text: evidence },
    evidence_details: { has_evidence: true, submission_count: 1 },
  });
  const updated = (await eventsOf(dispute.id)).find(({ type }) => type === 'charge.dispute.updated');
  expect(updated?.data.previous_attributes).toEqual({
    evidence: { uncategorized_text: null },
    evidence_details: { has_evidence: false, submission_count: 0, submission_method: 'not_submitted' },
    status: 'needs_response',
  });
  clock.ms += 5000;
  await waitForStatus(dispute.id, status);
  const closing = ['closed', extraEvent].filter(Boolean).join(', ');
  expect(await typesOf(dispute.id)).toBe(`created, funds_withdrawn, updated, ${closing}`);
  const { balance_transactions } = await read(dispute.id);
  expect(balance_transactions.map(({ net, reporting_category }) => [net, reporting_category])).toEqual([
    [-3900, 'dispute'],
    ...(status === 'won' ? [[3900, 'dispute_reversal']] : []),
  ]);
});

test("evidence can be saved before it is submitted, and evidence other than Stripe's test values leaves the dispute undecided", async () => {
  const { dispute } = await newDispute();
  const saved = await sandboxServer.stripe.disputes.update(dispute.id, {
    evidence: { customer_name: 'Ann Lee' },
    metadata: { order_id: 'o1' },
    submit: false,
  });
  expect(saved).toMatchObject({
    status: 'needs_response',
    evidence: { customer_name: 'Ann Lee' },
    metadata: { order_id: 'o1' },
    evidence_details: { has_evidence: true, submission_count: 0 },
  });
  expect(await sandboxServer.stripe.disputes.update(dispute.id, { submit: true })).toMatchObject({
    status: 'under_review',
  });
  clock.ms += 20 * DAY_MS;
  const other = await newDispute(CARDS.disputedLost);
  clock.ms += 30_000;
  await waitForStatus(other.dispute.id, 'lost');
  expect((await read(dispute.id)).status).toBe('under_review');
});

test('a dispute is decided on time, although the clock was set back by a day', async () => {
  clock.ms -= DAY_MS;
  const { dispute } = await newDispute();
  await submit(dispute.id, 'winning_evidence');
  clock.ms += 5000;
  await waitForStatus(dispute.id, 'won');
  clock.ms += DAY_MS;
});

test('a disputed charge cannot be refunded until the dispute is won', async () => {
  const { dispute, intentId, charge } = await newDispute();
  const refund = () => sandboxServer.stripe.refunds.create({ payment_intent: intentId });
  const refused = { statusCode: 400, code: 'charge_disputed' };
  const message = `Charge ${charge} has been charged back; cannot issue a refund.`;
  expect(await stripeErrorOf(refund())).toMatchObject({ ...refused, message });
  await submit(dispute.id, 'winning_evidence');
  expect(await stripeErrorOf(refund())).toMatchObject(refused);
  clock.ms += 5000;
  await waitForStatus(dispute.id, 'won');
  expect(await refund()).toMatchObject({ status: 'succeeded', amount: 2400 });
});

test('during an inquiry the charge can be refunded, and evidence closes the inquiry or escalates it to a dispute', async () => {
  const [ending, escalating] = [await newDispute(CARDS.disputedInquiry), await newDispute(CARDS.disputedInquiry)];
  const refund = { payment_intent: escalating.intentId, amount: 100 };
  expect(await sandboxServer.stripe.refunds.create(refund)).toMatchObject({ status: 'succeeded' });
  expect(await submit(ending.dispute.id, 'winning_evidence')).toMatchObject({ status: 'warning_under_review' });
  await submit(escalating.dispute.id, 'escalate_inquiry_evidence');
  clock.ms += 5000;
  await waitForStatus(ending.dispute.id, 'warning_closed');
  await waitForStatus(escalating.dispute.id, 'needs_response');
  expect(await typesOf(escalating.dispute.id)).toBe('created, updated, funds_withdrawn, updated');
  expect(await stripeErrorOf(sandboxServer.stripe.refunds.create(refund))).toMatchObject({ code: 'charge_disputed' });
});

test('closing an inquiry ends it without a loss', async () => {
  const { dispute } = await newDispute(CARDS.disputedInquiry);
  expect(await sandboxServer.stripe.disputes.close(dispute.id)).toMatchObject({ status: 'warning_closed' });
  const again = await stripeErrorOf(sandboxServer.stripe.disputes.close(dispute.id));
  expect([again.statusCode, again.message]).toEqual([400, 'This dispute is already closed']);
});

test('accepting a dispute loses it exactly once, and after that it cannot change', async () => {
  const { dispute } = await newDispute();
  clock.ms += 1;
  const closes = await Promise.allSettled(
    Array.from({ length: 10 }, () => sandboxServer.stripe.disputes.close(dispute.id)),
  );
  expect(closes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await read(dispute.id)).toMatchObject({ status: 'lost' });
  expect(await typesOf(dispute.id)).toBe('created, funds_withdrawn, closed');
  const again = await stripeErrorOf(submit(dispute.id, 'winning_evidence'));
  expect([again.statusCode, again.message]).toEqual([400, 'This dispute is already closed']);
});

test.each([
  [CARDS.disputedWon, 30_000, 'won'],
  [CARDS.disputedLost, 30_000, 'lost'],
  [CARDS.disputed, 9 * DAY_MS, 'lost'],
  [CARDS.disputedInquiry, 121 * DAY_MS, 'warning_closed'],
])('without evidence, the dispute of card %s ends after %s ms as %s', async (card, ms, status) => {
  const { dispute } = await newDispute(card);
  expect((await read(dispute.id)).status).toMatch(/needs_response/);
  clock.ms += ms;
  await waitForStatus(dispute.id, status);
  expect((await eventsOf(dispute.id)).filter(({ type }) => type === 'charge.dispute.closed')).toHaveLength(1);
});

test('disputes are listed in pages, and requests for an unknown dispute or with the publishable key are rejected', async () => {
  const older = await newDispute();
  clock.ms += 1;
  const newer = await newDispute();
  const first = await sandboxServer.stripe.disputes.list({ limit: 1 });
  expect(first).toMatchObject({ object: 'list', url: '/v1/disputes', has_more: true });
  expect(first.data.map(({ id }) => id)).toEqual([newer.dispute.id]);
  const rest = await sandboxServer.stripe.disputes.list({ limit: 1, starting_after: newer.dispute.id });
  expect(rest.data[0]?.id).toBe(older.dispute.id);
  expect((await sandboxServer.stripe.disputes.list({ charge: older.charge })).data).toMatchObject([
    { id: older.dispute.id },
  ]);
  expect(await stripeErrorOf(read('du_no'))).toMatchObject({ code: 'resource_missing', param: 'dispute' });
  expect(await stripeErrorOf(submit('du_no', 'x'))).toMatchObject({ code: 'resource_missing', param: 'dispute' });
  expect((await callAsBrowser(sandboxServer.origin, 'GET', '/v1/disputes')).status).toBe(403);
});
