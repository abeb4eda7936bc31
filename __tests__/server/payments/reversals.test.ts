import { sql } from 'drizzle-orm';
import { main } from '../../../server/cli/doctor';
import { HANDLED_EVENT_TYPES } from '../../../server/payments/webhook';
import { charge, dispute, newId, refund } from '../../support/data/reversals';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
let at = 1_800_000_000;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterEach(() => desk.rows(sql`delete from payment_reversals`));
afterAll(() => desk.close());

async function paidOrder() {
  const made = await desk.charged();
  await desk.patch(made.who, made.order._id, made.intentId);
  return { ...made, id: made.order._id };
}

function send(type: string, object: object, created = (at += 1)) {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    type,
    data: { object },
  };
  return desk.webhook(JSON.stringify(event));
}

async function counted() {
  const text = await desk.deps.metrics.text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)![1]);
  return [gauge('forgeline_refunds_reported'), gauge('forgeline_disputes_reported')];
}
const named = async () => (await desk.findings()).map(({ name, subject }) => [name, subject]);
const rows = () =>
  desk.rows(sql`select id, kind, status, amount_cents::int as cents from payment_reversals order by id`);

async function doctor() {
  let said = '';
  const hear = (chunk: unknown) => ((said += String(chunk)), true);
  const out = jest.spyOn(process.stdout, 'write').mockImplementation(hear);
  try {
    return { code: await main([], { DATABASE_URL: desk.database!.url }), said };
  } finally {
    out.mockRestore();
  }
}

describe('A refund that Stripe reports', () => {
  it('is counted, and the doctor names its order', async () => {
    const { id, intentId } = await paidOrder();
    const made = refund(intentId);
    expect((await send('refund.created', made)).status).toBe(200);
    expect(await counted()).toEqual([1, 0]);
    const { code, said } = await doctor();
    expect([code, said]).toEqual([
      1,
      `order_refunded: ${id}: The provider reports a refund of $14.00 (${made.id}: succeeded), and the order is still paid.\n`,
    ]);
  });

  it.each([
    [['charge.refunded', 'refund.created', 'refund.updated']],
    [['refund.updated', 'refund.created', 'charge.refunded']],
  ])('is counted once when the charge reports it too: %p', async (types) => {
    const { id, intentId } = await paidOrder();
    const one = refund(intentId);
    for (const type of [...types, ...types])
      await send(type, type === 'charge.refunded' ? charge(intentId, 1400) : one);
    expect([await counted(), await named()]).toEqual([[1, 0], [['order_refunded', id]]]);
    expect((await doctor()).said).toContain('$14.00');
  });

  it('is known from its charge alone, with or without the list of refunds', async () => {
    const [first, second] = [await paidOrder(), await paidOrder()];
    const listed = refund(null);
    await send('charge.refunded', charge(first.intentId, 500));
    await send('charge.refunded', charge(second.intentId, 1400, { refunds: { object: 'list', data: [listed] } }));
    expect(await counted()).toEqual([2, 0]);
    expect((await named()).map(([, subject]) => subject).sort()).toEqual([first.id, second.id].sort());
    await send('charge.refunded', charge(first.intentId, 1400));
    expect(await rows()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: `ch_${first.intentId}`, cents: 1400 })]),
    );
    expect(await counted()).toEqual([2, 0]);
  });

  it('of which only the charge tells beside another is counted too', async () => {
    const { intentId } = await paidOrder();
    await send('refund.created', refund(intentId, { amount: 500 }));
    await send('charge.refunded', charge(intentId, 500));
    expect(await counted()).toEqual([1, 0]);
    await send('charge.refunded', charge(intentId, 1400));
    expect(await counted()).toEqual([2, 0]);
    expect((await doctor()).said).toContain('$14.00');
  });

  it('is no finding once it failed', async () => {
    const { intentId } = await paidOrder();
    const one = refund(intentId, { status: 'pending' });
    await send('refund.created', one);
    await send('charge.refunded', charge(intentId, 1400));
    expect(await counted()).toEqual([1, 0]);
    await send('refund.failed', { ...one, status: 'failed' });
    expect([await counted(), await named()]).toEqual([[0, 0], []]);
    expect((await doctor()).code).toBe(0);
  });

  it('of a payment that was due back is counted, and the order that another payment paid is no finding', async () => {
    const { id, intentId } = await paidOrder();
    await desk.rows(sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason, returned_at)
      values ('pi_late', ${id}, 'refund due', 1400, 'usd', 'paid order', now())`);
    await send('refund.created', refund('pi_late'));
    expect([await counted(), await named()]).toEqual([[1, 0], []]);
    expect(await desk.rows(sql`select order_id from payment_reversals`)).toEqual([{ order_id: id }]);
    await send('refund.created', refund({ id: intentId, object: 'payment_intent' }));
    expect(await named()).toEqual([['order_refunded', id]]);
  });
});

describe('A dispute that Stripe reports', () => {
  it.each(['needs_response', 'under_review', 'warning_needs_response', 'lost'])(
    'is counted and names its order: %s',
    async (status) => {
      const { id, intentId } = await paidOrder();
      await send('charge.dispute.created', dispute(intentId, status));
      expect([await counted(), await named()]).toEqual([[0, 1], [['order_disputed', id]]]);
      expect((await doctor()).said).toMatch(
        /reports a dispute over \$14\.00 \(dp_\w+: \w+\), and the order is still paid/,
      );
    },
  );

  it.each(['won', 'warning_closed'])('is no finding once it is over: %s', async (status) => {
    const { intentId } = await paidOrder();
    const id = newId('dp');
    await send('charge.dispute.created', dispute(intentId, 'needs_response', id));
    expect(await counted()).toEqual([0, 1]);
    await send('charge.dispute.updated', dispute(intentId, 'under_review', id));
    await send('charge.dispute.closed', dispute(intentId, status, id));
    expect([await counted(), await named(), (await doctor()).code]).toEqual([[0, 0], [], 0]);
  });
});

describe('Events of refunds and disputes', () => {
  it('end the same in any order, any number of times and at once', async () => {
    const { intentId } = await paidOrder();
    const id = newId('dp');
    const steps = ['needs_response', 'under_review', 'won'];
    const history = steps.map((status, n) => [dispute(intentId, status, id), 1_900_000_000 + n] as const);
    const all = [...history].reverse().concat(history, history);
    for (const [object, created] of all) await send('charge.dispute.updated', object, created);
    expect(await rows()).toEqual([{ id, kind: 'dispute', status: 'won', cents: 1400 }]);
    const other = newId('dp');
    await Promise.all(
      all.map(([object, created]) => send('charge.dispute.updated', { ...object, id: other }, created)),
    );
    expect((await rows()).map(({ status }) => status)).toEqual(['won', 'won']);
  });

  it.each([
    ['re', 'succeeded', 'pending'],
    ['re', 'failed', 'succeeded'],
    ['dp', 'lost', 'needs_response'],
  ])('of the same second keep the later status: %s_ %s', async (prefix, last, first) => {
    const { intentId } = await paidOrder();
    const id = newId(prefix);
    const object = { ...(prefix === 're' ? refund(intentId) : dispute(intentId, '')), id };
    const type = prefix === 're' ? 'refund.updated' : 'charge.dispute.updated';
    for (const status of [last, first]) await send(type, { ...object, status }, 1_900_000_000);
    expect((await rows()).map(({ status }) => status)).toEqual([last]);
  });

  it('for payments of another shop, or of another shape, are acknowledged and ignored', async () => {
    const { intentId } = await paidOrder();
    const strange: [string, object][] = [
      ['refund.created', refund('pi_unknown')],
      ['charge.dispute.created', dispute('pi_unknown', 'needs_response')],
      ['charge.refunded', charge('pi_unknown', 1400)],
      ['refund.created', refund(null)],
      ['refund.created', refund(intentId, { amount: 0 })],
      ['refund.created', refund(intentId, { amount: '1400' })],
      ['refund.created', refund(intentId, { id: null })],
      ['charge.refunded', charge(intentId, 0)],
      ['charge.refunded', { object: 'charge', refunds: { data: null } }],
      ['refund.created', {}],
    ];
    for (const [type, object] of strange) expect([object, (await send(type, object)).status]).toEqual([object, 200]);
    expect(await rows()).toEqual([]);
  });

  it('that are forged record nothing', async () => {
    const { intentId } = await paidOrder();
    const raw = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'refund.created',
      data: { object: refund(intentId) },
    });
    for (const signature of [null, 'nonsense', desk.sign(`${raw} `)])
      expect((await desk.webhook(raw, signature)).status).toBe(400);
    expect(await rows()).toEqual([]);
  });

  it('change neither the order nor its stock', async () => {
    const { id, intentId, tool, who } = await paidOrder();
    await send('refund.created', refund(intentId));
    await send('charge.dispute.closed', dispute(intentId, 'lost'));
    expect((await desk.call(who, 'GET', `/order/${id}`)).body).toMatchObject({ paid: true, transactionId: intentId });
    expect([await desk.available(tool.id), await counted()]).toEqual([98, [1, 1]]);
  });

  it('are among those that the webhook is for', () => {
    expect(HANDLED_EVENT_TYPES).toEqual(
      expect.arrayContaining([
        ...['charge.refunded', 'refund.created', 'refund.updated', 'refund.failed'],
        ...['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'],
      ]),
    );
  });
});
