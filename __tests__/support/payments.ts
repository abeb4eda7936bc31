import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { audit } from '../../server/doctor/audit';
import type { Checkpoint } from '../../server/payments/context';
import type { Intent, Order } from '../../src/contract/entities';
import { confirmPayment } from './cards';
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

/** Runs work once, right before a named server step. Within that work, the same step is not intercepted again. */
function createCheckpoints() {
  const pending = new Map<Checkpoint, () => Promise<unknown>>();
  return {
    checkpoint: async (step: Checkpoint) => {
      const work = pending.get(step);
      pending.delete(step);
      await work?.();
    },
    /** Runs the work right before the server next takes this step. */
    runBefore: (step: Checkpoint, work: () => Promise<unknown>) => void pending.set(step, work),
    haveAllCheckpointsRun: () => pending.size === 0,
  };
}

/** Starts the server with its sandbox, with helpers for tests of payments. */
export async function openPaymentTestKit({ withoutWebhooks, ...options }: Options = {}) {
  const { checkpoint, runBefore, haveAllCheckpointsRun } = createCheckpoints();
  const kit = await openOrderTestKit({ checkpoint, ...options });
  const { call, deps, origin, readNumber } = kit;
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

  async function createIntent(customer: Customer | null, orderId: string, totalPrice: unknown) {
    const path = `/create-payment-intent?order=${orderId}`;
    const response = await call<Intent>(customer, 'POST', path, { totalPrice });
    return { ...response, intentId: response.body?.clientSecret?.split('_secret_')[0] ?? '' };
  }
  const patchOrder = (customer: Customer | null, orderId: string, transactionId: string) =>
    call<Order>(customer, 'PATCH', `/order/${orderId}`, { order: orderId, transactionId });

  const confirm = (clientSecret: string, card?: string, billing?: Record<string, string>) =>
    confirmPayment(origin, clientSecret, card, billing);

  async function pay(customer: Customer, orderId: string, totalPrice: number) {
    const { body } = await createIntent(customer, orderId, totalPrice);
    const { intentId } = await confirm(body.clientSecret);
    return patchOrder(customer, orderId, intentId);
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
  const countRowsOf = (table: string, orderId: string) =>
    readNumber(sql`select count(*) n from ${sql.identifier(table)} where order_id = ${orderId}`);
  const countPaidPayments = (orderId: string) =>
    readNumber(sql`select count(*) n from payments where order_id = ${orderId} and outcome = 'paid'`);
  const countCharges = (orderId: string) =>
    readNumber(
      sql`select count(*) n from embedded_stripe.intents where status = 'succeeded' and metadata->>'order_id' = ${orderId}`,
    );
  const countIntents = (orderId: string) =>
    readNumber(sql`select count(*) n from embedded_stripe.intents where metadata->>'order_id' = ${orderId}`);

  return {
    ...kit,
    provider,
    runBefore,
    haveAllCheckpointsRun,
    waitForSecondBegin,
    createUnpaidOrder,
    createIntent,
    patchOrder,
    confirm,
    pay,
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
