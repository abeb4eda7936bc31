import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { audit } from '../../server/doctor/audit';
import type { Intent, Order } from '../../src/contract/entities';
import { cardForm, CARDS } from './cards';
import { createCheckpoints } from './checkpoints';
import type { Customer } from './customers';
import { openOrderTestKit } from './orders';

interface UnpaidOrderOptions {
  quantity?: number;
  price?: number;
  stock?: number;
  customer?: Customer;
}

type Options = Parameters<typeof openOrderTestKit>[0] & {
  /** Stops the sandbox from delivering webhooks. */
  withoutWebhooks?: boolean;
};

/** Starts the server with its sandbox, with helpers for tests of payments. */
export async function openPaymentTestKit({ withoutWebhooks, ...options }: Options = {}) {
  const { checkpoint, runBefore } = createCheckpoints();
  const kit = await openOrderTestKit({ checkpoint, ...options });
  const { call, deps, origin } = kit;
  const { provider } = deps;
  if (withoutWebhooks) await kit.sandbox!.stop();

  async function createUnpaidOrder({ quantity = 2, price = 7, stock = 100, customer }: UnpaidOrderOptions = {}) {
    const owner = customer ?? (await kit.createCustomer());
    const tool = await kit.createTool({ price, availableQuantity: stock });
    const { body } = await kit.placeOrder(owner, { productName: tool.name, toolId: tool.id, totalQuantity: quantity });
    return { customer: owner, tool, order: body, total: price * quantity };
  }

  /** Resolves when the next payment request, which has to wait, tries for the second time to begin its payment. */
  const waitForSecondBegin = () =>
    new Promise<void>((resolve) =>
      runBefore('begin payment', async () => runBefore('begin payment', async () => resolve())),
    );

  const createIntent = (customer: Customer | null, orderId: string, totalPrice: unknown) =>
    call<Intent>(customer, 'POST', `/create-payment-intent?order=${orderId}`, { totalPrice });
  const patchOrder = (customer: Customer | null, orderId: string, transactionId: string) =>
    call<Order>(customer, 'PATCH', `/order/${orderId}`, { order: orderId, transactionId });

  async function callStripe(path: string, form: Record<string, string>) {
    const headers = { authorization: 'Bearer pk_test_forgeline' };
    const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
    return (await response.json()) as { id: string; status: string; error?: { message: string; code: string } };
  }

  async function confirm(clientSecret: string, card = CARDS.pays) {
    const [id = ''] = clientSecret.split('_secret_');
    const { id: method } = await callStripe('payment_methods', cardForm(card));
    const form = { client_secret: clientSecret, payment_method: method };
    return { intentId: id, ...(await callStripe(`payment_intents/${id}/confirm`, form)) };
  }

  /** Creates an order whose card has been charged, but whose payment the shop has not recorded yet. */
  async function createChargedOrder(options: UnpaidOrderOptions = {}) {
    const unpaid = await createUnpaidOrder(options);
    const { body } = await createIntent(unpaid.customer, unpaid.order._id, unpaid.total);
    const { intentId } = await confirm(body.clientSecret);
    return { ...unpaid, intentId };
  }

  function signWebhook(raw: string, at = Math.floor(deps.now().getTime() / 1000)) {
    const { webhookSecret } = kit.sandbox!.keys;
    return `t=${at},v1=${createHmac('sha256', webhookSecret).update(`${at}.${raw}`).digest('hex')}`;
  }

  const webhookEvent = (intentId: string, type = 'payment_intent.succeeded', id = `evt_${randomUUID()}`) =>
    JSON.stringify({ id, object: 'event', type, data: { object: { id: intentId, object: 'payment_intent' } } });

  const sendWebhook = (raw: string, signature: string | null = signWebhook(raw)) =>
    call<{ received: true }>(null, 'POST', '/webhooks/stripe', raw, signature ? { 'stripe-signature': signature } : {});

  const queryRows = async (query: ReturnType<typeof sql>) =>
    (await deps.db.execute(query)).rows as Record<string, string>[];
  /** Ends an order's hold and returns its stock. `change` sets more columns of the order. */
  const endHold = (orderId: string, change = sql`deleting_until = null`) =>
    queryRows(sql`
      with o as (update orders set holds_stock = false, hold_until = null, ${change} where id = ${orderId}
        returning tool_id, quantity)
      update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);
  const stateOf = async (orderId: string) =>
    (await queryRows(sql`select state from orders where id = ${orderId}`))[0]!['state'];
  const countRowsOf = async (table: string, orderId: string) =>
    Number(
      (await queryRows(sql`select count(*) n from ${sql.identifier(table)} where order_id = ${orderId}`))[0]!['n'],
    );
  const countPaidPayments = async (orderId: string) =>
    Number(
      (await queryRows(sql`select count(*) n from payments where order_id = ${orderId} and outcome = 'paid'`))[0]!['n'],
    );
  const countCharges = async (orderId: string) =>
    Number(
      (
        await queryRows(
          sql`select count(*) n from embedded_stripe.intents where status = 'succeeded' and metadata->>'order_id' = ${orderId}`,
        )
      )[0]!['n'],
    );
  const countIntents = async (orderId: string) =>
    Number(
      (
        await queryRows(sql`select count(*) n from embedded_stripe.intents where metadata->>'order_id' = ${orderId}`)
      )[0]!['n'],
    );

  return {
    ...kit,
    provider,
    runBefore,
    waitForSecondBegin,
    createUnpaidOrder,
    createIntent,
    patchOrder,
    confirm,
    callStripe,
    createChargedOrder,
    signWebhook,
    webhookEvent,
    sendWebhook,
    queryRows,
    endHold,
    stateOf,
    countRowsOf,
    countPaidPayments,
    countCharges,
    countIntents,
    runAudit: () => audit(deps),
  };
}

export type PaymentTestKit = Awaited<ReturnType<typeof openPaymentTestKit>>;
