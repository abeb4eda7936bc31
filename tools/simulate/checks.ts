import { SEND_TIMEOUT_MS } from '../../server/mail/mailQueue';
import { audit } from '../../server/doctor/audit';
import { orderNumber } from '../../src/contract/orderNumber';
import { runTimersUntilDone, simulatedRuntime } from './simulatedRuntime';
import { scheduler } from './scheduler';
import { TOOLS } from './initialRows';
import type { ReceivedMail } from './mailBox';
import type { World } from './world';

interface OrderRow {
  id: string;
  ownerId: string;
  toolId: string;
  state: string;
  quantity: number;
  price: number | null;
  shippedAt: Date | null;
  holdsStock: boolean;
  holdUntil: Date | null;
}

const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await scheduler.controlConnection.query<T & Record<string, unknown>>(text, values)).rows as T[];

const readOrders = () =>
  query<OrderRow>(`select id, owner_id as "ownerId", tool_id as "toolId", state, quantity, unit_price as price,
    shipped_at as "shippedAt", holds_stock as "holdsStock", hold_until as "holdUntil" from orders order by position`);

/** SQL over a row `i` of the sandbox's intents. */
const CAN_BE_PAID = `i.status in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing')`;

/** SQL over an order `o` that holds stock: how many pieces of it no refund has returned to the stock. */
const HELD = `o.quantity - (select coalesce(sum(restock_pieces), 0) from refunds where order_id = o.id and done_at is not null)`;

/** Checks the invariants that hold whenever no statement is running. */
export async function checkInvariants(world: World): Promise<void> {
  const { ledger } = world;
  await checkLimits(world);
  const rows = await query<{ problem: string }>(`
    select 'The order ' || (metadata->>'order_id') || ' has two intents that can be paid.' as problem
    from embedded_stripe.intents i join payment_attempts a on a.intent_id = i.id
    where ${CAN_BE_PAID}
    group by metadata->>'order_id' having count(*) > 1
    union all
    select 'The order ' || o.id || ' is deleted, but has an intent that can be paid.'
    from embedded_stripe.intents i join payment_attempts a on a.intent_id = i.id join orders o on o.id = a.order_id
    where o.state = 'deleted' and ${CAN_BE_PAID}
    union all
    select 'The order ' || o.id || ' has an intent at another price that can be paid.'
    from embedded_stripe.intents i join payment_attempts a on a.intent_id = i.id join orders o on o.id = a.order_id
    where o.state = 'unpaid' and i.amount <> o.unit_price::bigint * o.quantity * 100 and ${CAN_BE_PAID}
    union all
    select 'The order ' || o.id || ' is refunded, but the money is not returned yet.'
    from orders o join payments p on p.order_id = o.id and p.outcome = 'paid'
      join embedded_stripe.refunds r on r.intent_id = p.intent_id
    where o.state = 'refunded' and r.status = 'pending'
    union all
    select 'The payment ' || i.id || ' of ' || i.amount || ' cents was refunded with ' || sum(r.amount) || ' cents.'
    from embedded_stripe.intents i join embedded_stripe.refunds r on r.intent_id = i.id and r.status <> 'failed'
    group by i.id having sum(r.amount) > i.amount
    union all
    select 'The refund ' || (metadata->>'refund') || ' was made ' || count(*) || ' times.'
    from embedded_stripe.refunds where metadata ? 'refund' and status <> 'failed'
    group by metadata->>'refund' having count(*) > 1
    union all
    select 'The order ' || id || ' (' || state || ') was shipped.'
    from orders where shipped_at is not null and state not in ('paid', 'refunded')
    union all
    select 'The tool ' || t.id || ' has ' || t.available_quantity || ' of ' || t.stocked_quantity || ' pieces available, but orders hold '
      || coalesce(sum(${HELD}), 0) || '.'
    from tools t left join orders o on o.tool_id = t.id and o.holds_stock
    group by t.id having t.stocked_quantity <> t.available_quantity + coalesce(sum(${HELD}), 0)
    union all
    select 'The series of ' || series || ' is at ' || last || ', but ' || used || ' have a number.' from (
      select series, last, case series when 'invoice' then (select count(invoice) from payments)
        else (select count(number) from refunds) end as used from paper_numbers) series
    where used <> last
    union all
    select 'The order ' || order_id || ' is paid, but has no invoice.' from payments
    where outcome = 'paid' and (invoice is null or seller is null)
    union all
    select 'The refund ' || r.id || ' has no credit note.'
    from refunds r join payments p on p.intent_id = r.payment_id and p.outcome = 'paid'
    where r.number is null and (r.done_at is not null and r.state <> 'failed' or r.done_at = p.returned_at)`);
  for (const { problem } of rows) ledger.note(problem);
}

/**
 * Checks the limits of unpaid orders: number, minimum quantity and length of the hold. Orders with a price that an admin
 * offered are exempt.
 */
async function checkLimits({ ledger }: World): Promise<void> {
  const rows = await query<{ problem: string }>(`
    select owner_id || ' has ' || count(*) || ' unpaid orders, but the limit is 3' as problem from orders
    where state = 'unpaid' and not offered group by owner_id having count(*) > 3
    union all
    select 'The order ' || o.id || ' has a price, but is below the minimum quantity' from orders o join tools t on t.id = o.tool_id
    where o.unit_price is not null and not o.offered and o.quantity < t.minimum_order_quantity
    union all
    select 'The hold of the order ' || id || ' is too long' from orders
    where state = 'unpaid' and holds_stock and not offered and hold_until > created_at + interval '3 hours 31 minutes'
      and (hold_ended_at is null)`);
  for (const { problem } of rows) ledger.note(`${problem}.`);
}

/**
 * Checks that no intent can still be paid if its order is no longer unpaid, or if its attempt or its hold has ended.
 */
async function checkIntents({ ledger }: World): Promise<void> {
  const rows = await query<{ problem: string }>(`
    select 'The order ' || o.id || ' (' || o.state || ') has an intent that can still be paid.' as problem
    from embedded_stripe.intents i join payment_attempts a on a.intent_id = i.id join orders o on o.id = a.order_id
    where ${CAN_BE_PAID}
      and (o.state <> 'unpaid' or a.state <> 'open' or not o.holds_stock)`);
  for (const { problem } of rows) ledger.note(problem);
}

/** Runs all checks after the last request, sweep and email of the run have ended. */
export async function checkFinalState(world: World): Promise<void> {
  const { ledger, copies } = world;
  await checkInvariants(world);
  const { deps } = copies[0]!.shop;
  // The audit looks again three seconds later before it reports a payment that is not recorded yet. The timers of the
  // copies must not fire meanwhile.
  simulatedRuntime.timers.clear();
  const findings = await runTimersUntilDone(audit(deps));
  for (const { name, subject, detail } of findings) ledger.note(`${name}: ${subject}: ${detail}`);
  const orders = new Map((await readOrders()).map((order) => [order.id, order]));
  checkOrders(world, orders);
  await checkErasure(world);
  await checkShipments(world);
  await checkRefundTimes(world);
  await checkRefunds(world);
  await checkStock(world);
  await checkMoney(world);
  await checkIntents(world);
  await checkMail(world, orders);
  for (const label of world.unfinished.values()) ledger.note(`This work never ended: ${label}.`);
}

async function checkErasure({ ledger, people }: World): Promise<void> {
  for (const { name, id } of people.filter(({ isErased }) => isErased)) {
    const rows = await query(`select id from orders where owner_id = $1 and email <> ''`, [id]);
    if (rows.length > 0) ledger.note(`The shop has personal data of ${name}, who was erased.`);
  }
}

function checkOrders({ ledger, people }: World, orders: Map<string, OrderRow>): void {
  for (const { id, owner, quantity } of ledger.orders.values()) {
    const order = orders.get(id);
    if (people[owner]!.isErased && !order) continue;
    if (!order) ledger.note(`The acknowledged order ${id} is lost.`);
    else if (order.quantity !== quantity || order.ownerId !== people[owner]!.id)
      ledger.note(`The stored order ${id} differs from the acknowledged one.`);
  }
  for (const [key, ids] of ledger.ordersByKey)
    if (ids.size > 1) ledger.note(`The request ${key} placed ${ids.size} orders.`);
  if (orders.size > ledger.sentKeys.size)
    ledger.note(`${orders.size} orders are stored, but ${ledger.sentKeys.size} were sent.`);
  for (const id of ledger.paid.keys())
    if (!['paid', 'refunded'].includes(orders.get(id)?.state ?? ''))
      ledger.note(`The payment of the order ${id} was acknowledged, but the order is not paid.`);
  for (const id of ledger.deleted)
    if (orders.has(id) ? orders.get(id)!.state !== 'deleted' : !people[ledger.orders.get(id)!.owner]!.isErased)
      ledger.note(`The order ${id} was deleted, but its state is ${orders.get(id)?.state}.`);
  for (const id of ledger.shipped)
    if (!orders.get(id)?.shippedAt)
      ledger.note(`The shipment of the order ${id} was acknowledged, but the order is not shipped.`);
  for (const id of ledger.refunded.keys())
    if (orders.get(id)?.state !== 'refunded')
      ledger.note(`The refund of the order ${id} was acknowledged, but the order is not refunded.`);
}

/**
 * Checks that the last sweep has ended each hold that was over, and its payment. A payment afterwards would extend such
 * a hold.
 */
export async function checkHoldsEnded(world: World): Promise<void> {
  await checkIntents(world);
  for (const { id, state, holdsStock, holdUntil } of await readOrders())
    if (state === 'unpaid' && holdsStock && holdUntil && holdUntil.getTime() < simulatedRuntime.now - 120_000)
      world.ledger.note(`The hold of the order ${id} has not ended on time.`);
}

/** Checks that no order was shipped while a refund that an admin had requested was open. One that failed does not count. */
async function checkShipments({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string }>(`
    select ship.subject as id from admin_acts ship join mails shipped on shipped.kind = 'shipped' and shipped.about = ship.subject
    where ship.act = 'ship order' and (
      select count(*) from admin_acts a where a.subject = ship.subject and a.act = 'refund order' and a.id < ship.id
    ) > (
      select count(*) from refunds r left join mails m on m.kind = 'refunded' and m.about = r.id::text
      where r.order_id::text = ship.subject and r.requested_by is not null and (r.state = 'failed' or m.id < shipped.id))`);
  for (const { id } of rows) ledger.note(`The order ${id} was shipped while its refund was in progress.`);
}

/** Checks that no order was refunded before the provider had returned the money. Some refunds are pending at first. */
async function checkRefundTimes({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string }>(`
    select o.id from orders o join payments p on p.order_id = o.id and p.outcome = 'paid'
      join embedded_stripe.events e on e.type = 'refund.updated' and e.body #>> '{data,object,payment_intent}' = p.intent_id
    where e.body #>> '{data,previous_attributes,status}' = 'pending' and e.body #>> '{data,object,status}' = 'succeeded'
      and o.refunded_at < e.created_at - interval '1 second'`);
  for (const { id } of rows) ledger.note(`The order ${id} was refunded before the money was returned.`);
}

interface RequestedRow {
  id: string;
  order: string;
  state: string;
  pieces: number;
  restock: number;
  cents: number;
  price: number;
  quantity: number;
  orderState: string;
}

/** Checks that each request made one refund, of the requested pieces and their price, and restocks as requested. */
async function checkRefunds({ ledger }: World): Promise<void> {
  const rows = await query<RequestedRow>(`
    select r.id, r.order_id as order, r.state, r.pieces, r.restock_pieces as restock, r.amount_cents::float8 as cents,
      o.unit_price as price, o.quantity, o.state as "orderState"
    from refunds r join orders o on o.id = r.order_id where r.requested_by is not null order by r.id`);
  const keys = await query<{ key: string; refund: string | null }>(
    `select key, answer->>'refund' as refund from idempotency_keys where call = 'POST /order/refund' order by key`,
  );
  for (const { key, refund } of keys) {
    const { pieces, restock } = ledger.refunds.get(key)!;
    const row = rows.find(({ id }) => id === refund);
    if (!row) {
      if (pieces !== undefined) ledger.note(`The refund ${key} was acknowledged, but is not stored.`);
      continue;
    }
    const restocked = typeof restock === 'number' ? restock : restock ? row.pieces : 0;
    if (row.restock !== restocked) ledger.note(`The refund ${key} restocks ${row.restock} pieces, not ${restocked}.`);
    if (pieces !== undefined && pieces !== row.pieces)
      ledger.note(`The refund ${key} is of ${row.pieces} pieces, not ${pieces}.`);
  }
  for (const { id, order, state, pieces, cents, price, quantity, orderState } of rows) {
    const isLast = orderState === 'refunded' && cents < pieces * price * 100;
    if (state !== 'failed' && cents !== pieces * price * 100 && !isLast)
      ledger.note(`The refund ${id} of ${pieces} pieces at $${price} is of ${cents} cents.`);
    const sumOfPieces = rows.reduce(
      (sum, row) => (row.order === order && row.state !== 'failed' ? sum + row.pieces : sum),
      0,
    );
    if (sumOfPieces > quantity)
      ledger.note(`The order ${order} is of ${quantity} pieces, but ${sumOfPieces} were refunded.`);
    const requests = [...ledger.refunds.values()].filter(
      (request) => request.id === order && request.mayBeStored,
    ).length;
    const stored = rows.filter((row) => row.order === order).length;
    if (stored > requests) ledger.note(`The order ${order} has ${stored} refunds, but ${requests} were requested.`);
  }
}

async function checkStock({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string; stocked: number }>('select id, stocked_quantity as stocked from tools');
  for (const { id, stocked } of rows) {
    const acknowledgedTotal =
      TOOLS.find((tool) => tool.id === id)!.stock + (ledger.acknowledgedStockChange.get(id) ?? 0);
    const possibleTotals = (ledger.uncertainStockChanges.get(id) ?? []).reduce(
      (sums, change) => new Set([...sums, ...[...sums].map((sum) => sum + change)]),
      new Set([acknowledgedTotal]),
    );
    if (!possibleTotals.has(stocked))
      ledger.note(
        `The shop counts ${stocked} stocked pieces of the tool ${id}, instead of ${[...possibleTotals].join(' or ')}.`,
      );
  }
}

/** Checks that the shop kept exactly the price of each paid order without its refunds, and no money for any other order. */
async function checkMoney({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string; kept: string; recorded: string; state: string; due: string | null }>(`
    select i.metadata->>'order_id' as id, o.state, o.unit_price::bigint * o.quantity * 100 as due,
      coalesce(sum((select sum(amount_cents) from refunds where payment_id = p.intent_id and state = 'succeeded'))
        filter (where p.outcome = 'paid'), 0) as recorded,
      sum(case when p.returned_at is not null and r.refunded is null then 0
        else i.amount_received - coalesce(r.refunded, 0) end) as kept
    from embedded_stripe.intents i join orders o on o.id::text = i.metadata->>'order_id'
      left join (select intent_id, sum(amount) as refunded from embedded_stripe.refunds where status <> 'failed' group by 1) r
        on r.intent_id = i.id
      left join payments p on p.intent_id = i.id
    group by o.id, i.metadata->>'order_id' order by 1`);
  for (const { id, kept, recorded, state, due } of rows) {
    const expectedCents = state === 'paid' ? Number(due) - Number(recorded) : 0;
    if (Number(kept) !== expectedCents)
      ledger.note(`The shop kept ${kept} cents for the order ${id} (${state}), instead of ${expectedCents}.`);
  }
}

const STATES_BY_SUBJECT: [pattern: RegExp, states: string[]][] = [
  [/^We received your order/, ['unpaid', 'unpriced', 'paid', 'refunded', 'deleted']],
  [/^Receipt for your order/, ['paid', 'refunded']],
  [/^We have a price for/, ['unpaid', 'paid', 'refunded', 'deleted']],
  [/is on its way$/, ['paid', 'refunded']],
  [/^We refunded your order/, ['paid', 'refunded']],
  [/^We're refunding your payment/, ['unpaid', 'unpriced', 'paid', 'refunded', 'deleted']],
];

/**
 * An email is sent at least once. It may be repeated if the server could not record that it was sent: because the
 * response was lost, the copy crashed, or the copy was suspended until its lease ended and another copy took over. When
 * a copy begins to send, its lease lasts for at least the timeout.
 */
const mayBeRepeated = (first: ReceivedMail, second: ReceivedMail): boolean =>
  first.isResponseLost ||
  first.copy.isDead ||
  (first.copy !== second.copy && second.at - first.startedAt >= SEND_TIMEOUT_MS);

async function checkMail({ ledger, mailBox, people }: World, orders: Map<string, OrderRow>): Promise<void> {
  const lastById = new Map<string, ReceivedMail>();
  for (const mail of mailBox.received) {
    const { messageId, to, subject } = mail;
    const last = lastById.get(messageId);
    if (last && !mayBeRepeated(last, mail)) ledger.note(`The email "${subject}" was sent twice.`);
    lastById.set(messageId, mail);
    const order = [...orders.values()].find(({ id }) => subject.includes(orderNumber(id)));
    if (!order && people.some((person) => person.isErased && person.email === to)) continue;
    const [, states] = STATES_BY_SUBJECT.find(([pattern]) => pattern.test(subject)) ?? [];
    if (!order || !states?.includes(order.state))
      ledger.note(`The email "${subject}" does not fit the order, which is ${order?.state ?? 'unknown'}.`);
    if (order && people.find(({ id }) => id === order.ownerId)?.email !== to)
      ledger.note(`The email "${subject}" went to ${to}, who is not the customer.`);
    if (/is on its way$/.test(subject) && order && !order.shippedAt)
      ledger.note(`The email "${subject}" was sent before the order shipped.`);
  }
  const missing = await query<{ kind: string; order: string }>(`
    with expected as (
      select 'order received' as kind, id, null as about from orders
      union all select 'payment received', order_id, null from payments where outcome = 'paid'
      union all select 'shipped', order_id, null from shipments
      union all select 'refunded', p.order_id, r.id::text from refunds r join payments p on p.intent_id = r.payment_id
        where outcome = 'paid' and r.state = 'succeeded' and p.returned_at is null
      union all select 'payment returned', order_id, null from payments p
        where outcome = 'refund due' and order_id is not null and p.amount_cents <= (
          select sum(amount_cents) from refunds where payment_id = p.intent_id and state = 'succeeded'))
    select kind, id as order from expected e where id in (select id from orders where email <> '') and not exists (
      select from mails m where m.kind = e.kind and m.order_id = e.id and (e.about is null or m.about = e.about) and m.state in ('sent', 'not sent'))`);
  for (const { kind, order } of missing) ledger.note(`The email "${kind}" about the order ${order} was never sent.`);
}
