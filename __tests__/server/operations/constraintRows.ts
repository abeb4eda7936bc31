/** Valid rows of each table that has a constraint. */
export const VALID_ROWS = `
insert into users (id, email) values ('ann', 'ann@mail.example'), ('bob', 'bob@mail.example');
insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
  values ('Saw', 7, 1, 10, 10, 'A saw.', '/s.svg');
insert into reviews (name, description, ratings, img) values ('Ann', 'It holds.', 5, '/a.svg');
insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, slot, deleted_at)
  select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'ann', 'ann@mail.example', 'Ann', tools.id, 'Saw',
    price_each, 1, '1 Road', '555', state, holds, hold_until, slot, deleted_at
  from tools, (values
    (1, 'unpaid', 7, true, now(), 1, null::timestamptz),
    (2, 'unpaid', 7, true, now(), 2, null),
    (3, 'unpriced', null, false, null, 1, null),
    (4, 'unpriced', null, false, null, 2, null),
    (5, 'paid', 7, true, null, null, null),
    (6, 'deleted', 7, false, null, null, now())
  ) as made (n, state, price_each, holds, hold_until, slot, deleted_at);
insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until)
  select id, 1, 'key of ' || slot, 'pi_' || slot, 700, 'usd', 'open', now() from orders where state = 'unpaid';
insert into payments (intent_id, order_id, outcome, amount_cents, currency)
  select 'pi_paid', id, 'paid', 700, 'usd' from orders where state = 'paid';
insert into payments (intent_id, outcome, amount_cents, currency, reason)
  values ('pi_late', 'refund due', 700, 'usd', 'out of stock');
insert into payment_reversals (id, kind, intent_id, amount_cents, status) values ('re_1', 'refund', 'pi_paid', 700, 'failed');
insert into refunds (intent_id, order_id, amount_cents, currency, reason, refund_id)
  select 'pi_paid', id, 700, 'usd', 'broken', 're_1' from orders where state = 'paid';
insert into refunds (intent_id, amount_cents, currency, reason, refund_id) values ('pi_late', 700, 'usd', 'late', 're_2');
insert into mails (kind, about, order_id) select 'order received', id::text, id from orders where state in ('unpaid', 'paid');
insert into provider_events (id, type) values ('evt_1', 'payment_intent.succeeded');
insert into idempotency_keys (user_id, call, key, body_hash, answer) values ('ann', 'POST /order', 'key', 'hash', '{}');
insert into ended_holds (owner_id, tool_id, held_seconds, ended_at) select 'ann', id, 900, now() from tools limit 1;
insert into ended_sessions (user_id, auth_time, ended_at) values ('ann', 'epoch', now());`;

const updateOrder = (state: string, set: string) => `update orders set ${set} where state = '${state}'`;
const updateTool = (set: string) => `update tools set ${set}`;

const SELECT_PAID_ORDER = `select '00000000-0000-4000-8000-000000000005'::uuid`;

/** Statements that would corrupt the data, by the constraint that must reject them. */
export const CONSTRAINT_VIOLATIONS: Record<string, string[]> = {
  users_email_unique: [`update users set email = 'ann@mail.example' where id = 'bob'`],
  tools_price: [0, -1, 1_000_001].map((price) => updateTool(`price = ${price}`)),
  tools_minimum: [0, -1, 1_000_001].map((minimum) => updateTool(`minimum_order_quantity = ${minimum}`)),
  tools_available: [-1, 11].map((available) => updateTool(`available_quantity = ${available}`)),
  orders_quantity: [0, -1, 1_000_001].map((quantity) => updateOrder('unpaid', `quantity = ${quantity}`)),
  orders_price: [0, -1, 1_000_001].map((price) => updateOrder('unpaid', `unit_price = ${price}`)),
  orders_unpriced: [
    updateOrder('unpaid', 'unit_price = null'),
    updateOrder('paid', 'unit_price = null'),
    updateOrder('unpriced', 'unit_price = 7'),
  ],
  orders_paid_holds: [updateOrder('paid', 'holds_stock = false')],
  orders_holding: [updateOrder('unpriced', 'holds_stock = true'), updateOrder('deleted', 'holds_stock = true')],
  orders_hold_ends: [
    updateOrder('unpaid', 'hold_until = null'),
    updateOrder('unpaid', 'holds_stock = false'),
    updateOrder('paid', 'hold_until = now()'),
    updateOrder('deleted', 'hold_until = now()'),
  ],
  orders_deleted: [updateOrder('deleted', 'deleted_at = null'), updateOrder('unpaid', 'deleted_at = now()')],
  orders_shipped: ['unpaid', 'deleted'].map((state) => updateOrder(state, 'shipped_at = now()')),
  orders_refunded: [updateOrder('paid', 'refunded_at = now()'), updateOrder('paid', `state = 'refunded'`)],
  payment_attempts_amount: [0, -1].map((cents) => `update payment_attempts set amount_cents = ${cents}`),
  payment_attempts_idempotency_key_unique: [`update payment_attempts set idempotency_key = 'key of 1'`],
  payment_attempts_intent_id_unique: [`update payment_attempts set intent_id = 'pi_1'`],
  payment_attempts_one_open: [
    `insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      select order_id, 2, 'another key', 700, 'usd', now() from payment_attempts limit 1`,
  ],
  payments_amount: [0, -1].map((cents) => `update payments set amount_cents = ${cents} where outcome = 'paid'`),
  payments_paid_order: [`update payments set order_id = null where outcome = 'paid'`],
  payments_reason: [`update payments set reason = null where outcome = 'refund due'`],
  payments_one_paid: [
    `insert into payments (order_id, intent_id, outcome, amount_cents, currency)
      ${SELECT_PAID_ORDER}, 'pi_another', 'paid', 700, 'usd'`,
  ],
  payments_invoice: [`update payments set invoice = 'F-000001'`],
  refunds_amount: [0, -1].map((cents) => `update refunds set amount_cents = ${cents}`),
  refunds_pieces: ['update refunds set pieces = 0'],
  refunds_restock: ['update refunds set restock_pieces = -1'],
  refunds_number_unique: [`update refunds set number = 'C-000001'`],
  refunds_intent_id_unique: [`update refunds set intent_id = 'pi_paid'`],
  refunds_one_requested: [
    `insert into refunds (payment_id, amount_cents, currency, reason) values ('pi_paid', 100, 'usd', 'again')`,
  ],
  refunds_refund_id_unique: [`update refunds set refund_id = 're_1'`],
  mails_kind_about: [`update mails set about = 'the same'`],
};
