import { audit } from '../server/payments/audit';
import { orderNumber } from '../src/contract/orderNumber';
import { host } from './host';
import { scheduler } from './scheduler';
import { TOOLS } from './beginning';
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

/** What must be true at every moment when no statement runs. */
export async function checkNow(world: World): Promise<void> {
  const { ledger } = world;
  await checkLimits(world);
  const rows = await query<{ problem: string }>(`
    select 'Order ' || (metadata->>'order_id') || ' has two payments that can still be made.' as problem
    from sandbox_intents i join payment_attempts a on a.intent_id = i.id
    where status in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing')
    group by metadata->>'order_id' having count(*) > 1
    union all
    select 'Tool ' || t.id || ' has the stock ' || t.available_quantity || ' of ' || t.stocked_quantity || ', and orders hold '
      || coalesce(sum(o.quantity), 0)
    from tools t left join orders o on o.tool_id = t.id and o.holds_stock
    group by t.id having t.stocked_quantity <> t.available_quantity + coalesce(sum(o.quantity), 0)`);
  for (const { problem } of rows) ledger.note(problem);
}

/** Limits of what customers may hold. Prices that an admin offered do not count. */
async function checkLimits({ ledger }: World): Promise<void> {
  const rows = await query<{ problem: string }>(`
    select o.owner_id || ' holds ' || sum(o.quantity) || ' of ' || t.stocked_quantity || ' pieces of ' || t.name as problem
    from orders o join tools t on t.id = o.tool_id
    where o.state = 'unpaid' and o.holds_stock and o.priced_at is null and t.minimum_order_quantity = 1
    group by o.owner_id, t.id having sum(o.quantity) > t.stocked_quantity / 2
    union all
    select owner_id || ' has ' || count(*) || ' unpaid orders' from orders
    where state = 'unpaid' and priced_at is null group by owner_id having count(*) > 3
    union all
    select 'The order ' || o.id || ' has a price for too few pieces' from orders o join tools t on t.id = o.tool_id
    where o.unit_price is not null and o.priced_at is null and o.quantity < t.minimum_order_quantity
    union all
    select 'The order ' || id || ' is held too long' from orders
    where state = 'unpaid' and holds_stock and priced_at is null and hold_until > created_at + interval '3 hours 31 minutes'
      and (hold_ended_at is null)`);
  for (const { problem } of rows) ledger.note(`${problem}.`);
}

/** Nobody can pay any more for what is over. */
async function checkIntents({ ledger }: World): Promise<void> {
  const rows = await query<{ problem: string }>(`
    select 'The payment of the order ' || o.id || ' (' || o.state || ') can still be made.' as problem
    from sandbox_intents i join payment_attempts a on a.intent_id = i.id join orders o on o.id = a.order_id
    where i.status in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing')
      and (o.state <> 'unpaid' or a.state <> 'open' or not o.holds_stock)`);
  for (const { problem } of rows) ledger.note(problem);
}

/** Runs all checks when everything has come to rest. */
export async function checkEnd(world: World): Promise<void> {
  const { ledger, copies } = world;
  await checkNow(world);
  const { deps } = copies[0]!.shop;
  const findings = await audit(deps);
  for (const { name, subject, detail } of findings) ledger.note(`${name}: ${subject}: ${detail}`);
  const orders = new Map((await readOrders()).map((order) => [order.id, order]));
  checkOrders(world, orders);
  await checkStock(world);
  await checkMoney(world);
  await checkIntents(world);
  await checkMail(world, orders);
  for (const label of world.unfinished.values()) ledger.note(`This waits for ever: ${label}`);
}

function checkOrders({ ledger, people }: World, orders: Map<string, OrderRow>): void {
  for (const { id, owner, quantity } of ledger.orders.values()) {
    const order = orders.get(id);
    if (!order) ledger.note(`The acknowledged order ${id} is lost.`);
    else if (order.quantity !== quantity || order.ownerId !== people[owner]!.id)
      ledger.note(`The order ${id} is stored differently.`);
  }
  for (const [key, ids] of ledger.ordersByKey)
    if (ids.size > 1) ledger.note(`The request ${key} placed ${ids.size} orders.`);
  if (orders.size > ledger.sentKeys.size)
    ledger.note(`${orders.size} orders are stored, but ${ledger.sentKeys.size} were sent.`);
  for (const id of ledger.paid.keys())
    if (!['paid', 'refunded'].includes(orders.get(id)?.state ?? '')) ledger.note(`The paid order ${id} is not paid.`);
  for (const id of ledger.deleted)
    if (orders.get(id)?.state !== 'deleted') ledger.note(`The deleted order ${id} is ${orders.get(id)?.state}.`);
  for (const id of ledger.shipped)
    if (!orders.get(id)?.shippedAt) ledger.note(`The shipped order ${id} is not shipped.`);
  for (const id of ledger.refunded.keys())
    if (orders.get(id)?.state !== 'refunded') ledger.note(`The order ${id} was to be refunded, but it is not.`);
  for (const { id, state, holdsStock, holdUntil } of orders.values())
    if (state === 'unpaid' && holdsStock && holdUntil && holdUntil.getTime() < host.now - 120_000)
      ledger.note(`The hold of the order ${id} never ends.`);
}

async function checkStock({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string; stocked: number }>('select id, stocked_quantity as stocked from tools');
  for (const { id, stocked } of rows) {
    const sure = TOOLS.find((tool) => tool.id === id)!.stock + (ledger.sureStock.get(id) ?? 0);
    const totals = (ledger.possibleStock.get(id) ?? []).reduce(
      (sums, change) => new Set([...sums, ...[...sums].map((sum) => sum + change)]),
      new Set([sure]),
    );
    if (!totals.has(stocked))
      ledger.note(`The tool ${id} was stocked ${stocked} times, not ${[...totals].join(' or ')}.`);
  }
}

/** A card is charged once for what its customer gets, and everything else goes back. */
async function checkMoney({ ledger }: World): Promise<void> {
  const rows = await query<{ id: string; order: string; kept: string; state: string; due: string | null }>(`
    select i.metadata->>'order_id' as id, o.state, o.unit_price::bigint * o.quantity * 100 as due,
      sum(i.amount_received - coalesce(r.refunded, 0)) as kept
    from sandbox_intents i join orders o on o.id::text = i.metadata->>'order_id'
      left join (select intent_id, sum(amount) as refunded from sandbox_refunds where status <> 'failed' group by 1) r
        on r.intent_id = i.id
    group by o.id, i.metadata->>'order_id' order by 1`);
  for (const { id, kept, state, due } of rows) {
    const wanted = state === 'paid' ? Number(due) : 0;
    if (Number(kept) !== wanted)
      ledger.note(`The customer of the order ${id} (${state}) has paid ${kept} cents, and owes ${wanted}.`);
  }
}

const SUBJECTS: [pattern: RegExp, states: string[]][] = [
  [/^We received your order/, ['unpaid', 'unpriced', 'paid', 'refunded', 'deleted']],
  [/^Receipt for your order/, ['paid', 'refunded']],
  [/^We have a price for/, ['unpaid', 'paid', 'refunded', 'deleted']],
  [/is on its way$/, ['paid', 'refunded']],
  [/^We refunded your order/, ['refunded']],
  [/^We're returning your payment/, ['unpaid', 'unpriced', 'paid', 'refunded', 'deleted']],
];

async function checkMail({ ledger, mailBox, people }: World, orders: Map<string, OrderRow>): Promise<void> {
  const seen = new Map<string, boolean>();
  for (const { messageId, to, subject, isAnswerLost, copy } of mailBox.received) {
    const isExcused = isAnswerLost || copy.isDead;
    if (seen.get(messageId) === false) ledger.note(`The email "${subject}" was sent twice.`);
    seen.set(messageId, isExcused);
    const order = [...orders.values()].find(({ id }) => subject.includes(orderNumber(id)));
    const [, states] = SUBJECTS.find(([pattern]) => pattern.test(subject)) ?? [];
    if (!order || !states?.includes(order.state)) ledger.note(`The email "${subject}" is not true: ${order?.state}.`);
    if (order && people.find(({ id }) => id === order.ownerId)?.email !== to)
      ledger.note(`The email "${subject}" went to ${to}.`);
    if (/is on its way$/.test(subject) && order && !order.shippedAt) ledger.note(`The email "${subject}" is not true.`);
  }
  const missing = await query<{ kind: string; order: string }>(`
    with expected as (
      select 'order received' as kind, id from orders
      union all select 'payment received', order_id from payments where outcome = 'paid'
      union all select 'shipped', order_id from shipments
      union all select 'refunded', id from orders where state = 'refunded'
      union all select 'payment returned', order_id from payments where outcome = 'refund due' and order_id is not null)
    select kind, id as order from expected e where not exists (
      select from mails m where m.kind = e.kind and m.order_id = e.id and m.state in ('sent', 'not sent'))`);
  for (const { kind, order } of missing) ledger.note(`The email "${kind}" of the order ${order} was never sent.`);
}
