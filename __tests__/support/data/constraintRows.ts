/** Valid rows of each table that has a constraint. */
export const VALID_ROWS = `
insert into users (id, email) values ('ann', 'ann@mail.example'), ('bob', 'bob@mail.example');
insert into machine_keys (name, token_hash, may) values ('erp', 'hash', '{orders}');
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
insert into refund_parts (refund_id, intent_id, amount_cents, state) values ('re_3', 'pi_paid', 100, 'succeeded');
insert into mails (kind, about, order_id) select 'order received', id::text, id from orders where state in ('unpaid', 'paid');
insert into provider_events (id, type) values ('evt_1', 'payment_intent.succeeded');
insert into idempotency_keys (user_id, call, key, body_hash, answer) values ('ann', 'POST /order', 'key', 'hash', '{}');
insert into ended_holds (owner_id, tool_id, held_seconds, ended_at) select 'ann', id, 900, now() from tools limit 1;
insert into ended_sessions (user_id, auth_time, ended_at) values ('ann', 'epoch', now());
insert into embedded_identity.accounts (local_id, email) values ('ann', 'ann@mail.example'), ('bob', 'bob@mail.example');
insert into embedded_stripe.payment_methods (id, outcome, body) values ('pm_1', 'pays', '{}'), ('pm_2', 'pays', '{}');
insert into embedded_stripe.intents (id, client_secret, status, amount, amount_received, currency, payment_method_id, charge_id,
    metadata, body)
  values ('pi_1', 's', 'succeeded', 700, 700, 'usd', 'pm_1', 'ch_1', '{}', '{}'),
    ('pi_2', 's', 'requires_action', 700, 0, 'usd', 'pm_2', 'ch_2', '{}', '{}');
insert into embedded_stripe.refunds (id, intent_id, amount, status, metadata) values ('re_1', 'pi_1', 700, 'succeeded', '{}');
insert into embedded_stripe.disputes (id, intent_id, amount, reason, status, body)
  values ('dp_1', 'pi_1', 700, 'fraudulent', 'lost', '{}'), ('dp_2', 'pi_2', 700, 'fraudulent', 'won', '{}');`;

const updateOrder = (state: string, set: string) => `update orders set ${set} where state = '${state}'`;
const updateTool = (set: string) => `update tools set ${set}`;
const copyPosition = (table: string, columns: string) =>
  `insert into ${table} (position, ${columns}) overriding system value
    select position, ${columns} from ${table} limit 1`;
const copyRow = (table: string) => `insert into ${table} select * from ${table} limit 1`;

const SELECT_PAID_ORDER = `select '00000000-0000-4000-8000-000000000005'::uuid`;
const TOOL_COLUMNS = 'name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img';
const ORDER_COLUMNS =
  'owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, ' +
  'state, holds_stock, deleted_at';

/** Statements that would corrupt the data, by the constraint that must reject them. */
export const CONSTRAINT_VIOLATIONS: Record<string, string[]> = {
  users_email_unique: [`update users set email = 'ann@mail.example' where id = 'bob'`],
  users_role: [`update users set role = 'owner'`, `update users set role = ''`],
  machine_keys_token_hash_unique: [
    `insert into machine_keys (name, token_hash, may) values ('copy', 'hash', '{tools}')`,
  ],
  tools_price: [0, -1, 1_000_001].map((price) => updateTool(`price = ${price}`)),
  tools_minimum: [0, -1, 1_000_001].map((minimum) => updateTool(`minimum_order_quantity = ${minimum}`)),
  tools_available: [-1, 11].map((available) => updateTool(`available_quantity = ${available}`)),
  // No statement, because PostgreSQL checks `tools_available` first, which refuses the same values.
  tools_stocked: [],
  tools_position: [copyPosition('tools', TOOL_COLUMNS)],
  reviews_ratings: [0, 6].map((ratings) => `update reviews set ratings = ${ratings}`),
  reviews_position: [copyPosition('reviews', 'name, description, ratings, img')],
  orders_state: ['lost', ''].map((state) => updateOrder('paid', `state = '${state}', holds_stock = false`)),
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
  orders_dispute: ['', 'closed'].map((dispute) => updateOrder('paid', `dispute = '${dispute}'`)),
  orders_position: [`${copyPosition('orders', ORDER_COLUMNS).replace('limit 1', `where state = 'deleted'`)}`],
  ended_holds_seconds: [0, 901].map((seconds) => `update ended_holds set held_seconds = ${seconds}`),
  idempotency_keys_user_id_call_key_pk: [copyRow('idempotency_keys')],
  ended_sessions_user_id_auth_time_pk: [copyRow('ended_sessions')],
  payment_attempts_state: [`update payment_attempts set state = 'lost'`],
  payment_attempts_amount: [0, -1].map((cents) => `update payment_attempts set amount_cents = ${cents}`),
  payment_attempts_idempotency_key_unique: [`update payment_attempts set idempotency_key = 'key of 1'`],
  payment_attempts_intent_id_unique: [`update payment_attempts set intent_id = 'pi_1'`],
  payment_attempts_one_open: [
    `insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
      select order_id, 2, 'another key', 700, 'usd', now() from payment_attempts limit 1`,
  ],
  payment_attempts_order_id_n_pk: [copyRow('payment_attempts')],
  refund_parts_state: [`update refund_parts set state = 'requested'`],
  refund_parts_amount: [0, -1].map((cents) => `update refund_parts set amount_cents = ${cents}`),
  payments_outcome: ['lost', ''].map(
    (outcome) => `update payments set outcome = '${outcome}' where outcome = 'refund due'`,
  ),
  payments_amount: [0, -1].map((cents) => `update payments set amount_cents = ${cents} where outcome = 'paid'`),
  payments_paid_order: [`update payments set order_id = null where outcome = 'paid'`],
  payments_reason: [`update payments set reason = null where outcome = 'refund due'`],
  payments_one_paid: [
    `insert into payments (order_id, intent_id, outcome, amount_cents, currency)
      ${SELECT_PAID_ORDER}, 'pi_another', 'paid', 700, 'usd'`,
  ],
  payments_pkey: [copyRow('payments')],
  payment_reversals_kind: [`update payment_reversals set kind = 'gift'`],
  payment_reversals_amount: [0, -1].map((cents) => `update payment_reversals set amount_cents = ${cents}`),
  payment_reversals_pkey: [copyRow('payment_reversals')],
  refunds_state: [`update refunds set state = 'lost'`],
  refunds_amount: [0, -1].map((cents) => `update refunds set amount_cents = ${cents}`),
  refunds_refund_id_unique: [`update refunds set refund_id = 're_1'`],
  refunds_pkey: [copyRow('refunds')],
  mails_state: [`update mails set state = 'lost'`],
  mails_subject: [`update mails set recipient = 'ann@mail.example'`, `update mails set order_id = null`],
  mails_kind_about: [`update mails set about = 'the same'`],
  provider_events_pkey: [copyRow('provider_events')],
  identity_accounts_email_unique: [
    `update embedded_identity.accounts set email = 'ann@mail.example' where local_id = 'bob'`,
  ],
  sandbox_intents_amount: [0, -1].map(
    (amount) => `update embedded_stripe.intents set amount = ${amount} where id = 'pi_2'`,
  ),
  sandbox_intents_charged: [
    `update embedded_stripe.intents set amount_received = 0 where id = 'pi_1'`,
    `update embedded_stripe.intents set amount_received = 699 where id = 'pi_1'`,
    `update embedded_stripe.intents set amount_received = 700 where id = 'pi_2'`,
    `update embedded_stripe.intents set status = 'canceled' where id = 'pi_1'`,
  ],
  sandbox_intents_charge_id_unique: [`update embedded_stripe.intents set charge_id = 'ch_1'`],
  sandbox_refunds_amount: [0, -1].map((amount) => `update embedded_stripe.refunds set amount = ${amount}`),
  sandbox_disputes_amount: [0, -1].map((amount) => `update embedded_stripe.disputes set amount = ${amount}`),
  sandbox_disputes_intent_id_unique: [`update embedded_stripe.disputes set intent_id = 'pi_1'`],
  sandbox_intents_method: [`update embedded_stripe.intents set payment_method_id = 'pm_1'`],
};

/** Statements that set the largest and smallest valid values, or rare but valid combinations of values. */
export const VALID_CHANGES = [
  updateTool('price = 1, minimum_order_quantity = 1, available_quantity = 0, stocked_quantity = 0'),
  updateTool(
    'price = 1000000, minimum_order_quantity = 1000000, available_quantity = 1000000, stocked_quantity = 1000000',
  ),
  updateOrder('unpaid', 'unit_price = 1, quantity = 1'),
  updateOrder('paid', 'unit_price = 1000000, quantity = 1000000'),
  updateOrder('unpaid', 'holds_stock = false, hold_until = null'),
  updateOrder('deleted', 'unit_price = null'),
  updateOrder('paid', 'shipped_at = now()'),
  ...['true', 'false'].map((holds) =>
    updateOrder('paid', `state = 'refunded', refunded_at = now(), shipped_at = now(), holds_stock = ${holds}`),
  ),
  updateOrder('paid', `dispute = 'open', refund_failed = true`),
  `update reviews set ratings = 1`,
  `update users set role = 'admin', email = null`,
  `update payment_attempts set state = 'canceled', intent_id = null, amount_cents = 1`,
  `update payment_attempts set state = 'succeeded'`,
  `update payments set amount_cents = 1`,
  `update payments set amount_cents = 0 where outcome = 'refund due'`,
  `update payments set outcome = 'refund due', reason = 'out of stock' where outcome = 'paid'`,
  `insert into payments (order_id, intent_id, outcome, amount_cents, currency, reason)
    ${SELECT_PAID_ORDER}, 'pi_again', 'refund due', 700, 'usd', 'paid order'`,
  `update payment_reversals set kind = 'dispute', amount_cents = 1`,
  `update embedded_stripe.intents set amount = 1, amount_received = 1 where id = 'pi_1'`,
];
