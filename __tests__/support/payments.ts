import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { audit } from '../../server/payments/audit';
import type { Intent, Order } from '../../src/contract/entities';
import { cardForm, CARDS } from './cards';
import { interleaving } from './checkpoints';
import type { Customer } from './customers';
import { openOrderTestKit } from './orders';

type Options = Parameters<typeof openOrderTestKit>[0] & {
  /** Webhooks that never come. */
  silent?: boolean;
};

/** The server with its sandbox, and what a test of payments does again and again. */
export async function openPaymentTestKit({ silent, ...options }: Options = {}) {
  const { checkpoint, justBefore } = interleaving();
  const desk = await openOrderTestKit({ checkpoint, ...options });
  const { call, deps, origin } = desk;
  const { provider } = deps;
  if (silent) await desk.sandbox!.stop();

  async function unpaid({ quantity = 2, price = 7, stock = 100, who }: Wanted = {}) {
    const owner = who ?? (await desk.customer());
    const tool = await desk.tool({ price, availableQuantity: stock, minimumOrderQuantity: leastOf(quantity, stock) });
    const { body } = await desk.order(owner, { productName: tool.name, toolId: tool.id, totalQuantity: quantity });
    return { who: owner, tool, order: body, total: price * quantity };
  }

  /** Whoever begins to pay next was told to wait, and comes again. */
  const looksAgain = () =>
    new Promise<void>((resolve) =>
      justBefore('begin payment', async () => justBefore('begin payment', async () => resolve())),
    );

  const ask = (who: Customer | null, order: string, totalPrice: unknown) =>
    call<Intent>(who, 'POST', `/create-payment-intent?order=${order}`, { totalPrice });
  const patch = (who: Customer | null, order: string, transactionId: string) =>
    call<Order>(who, 'PATCH', `/order/${order}`, { order, transactionId });

  /** As the browser does it, with the publishable key. */
  async function stripe(path: string, form: Record<string, string>) {
    const headers = { authorization: 'Bearer pk_test_forgeline' };
    const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
    return (await response.json()) as { id: string; status: string; error?: { message: string; code: string } };
  }

  async function confirm(clientSecret: string, card = CARDS.pays) {
    const [id = ''] = clientSecret.split('_secret_');
    const { id: method } = await stripe('payment_methods', cardForm(card));
    const confirmed = { client_secret: clientSecret, payment_method: method };
    return { intentId: id, ...(await stripe(`payment_intents/${id}/confirm`, confirmed)) };
  }

  /** An order whose money has just come, and nobody here has heard of it. */
  async function charged(wanted: Wanted = {}) {
    const made = await unpaid(wanted);
    const { body } = await ask(made.who, made.order._id, made.total);
    const { intentId } = await confirm(body.clientSecret);
    return { ...made, intentId };
  }

  function sign(raw: string, at = Math.floor(deps.now().getTime() / 1000)) {
    const { webhookSecret } = desk.sandbox!.keys;
    return `t=${at},v1=${createHmac('sha256', webhookSecret).update(`${at}.${raw}`).digest('hex')}`;
  }

  const eventOf = (intentId: string, type = 'payment_intent.succeeded', id = `evt_${randomUUID()}`) =>
    JSON.stringify({ id, object: 'event', type, data: { object: { id: intentId, object: 'payment_intent' } } });

  const webhook = (raw: string, signature: string | null = sign(raw)) =>
    call<{ received: true }>(null, 'POST', '/webhooks/stripe', raw, signature ? { 'stripe-signature': signature } : {});

  const rows = async (query: ReturnType<typeof sql>) => (await deps.db.execute(query)).rows as Record<string, string>[];
  /** Takes an order's stock off it, as when its hold ends, and changes what else is said. */
  const giveBack = (order: string, change = sql`deleting_until = null`) =>
    rows(sql`
      with o as (update orders set holds_stock = false, hold_until = null, ${change} where id = ${order}
        returning tool_id, quantity)
      update tools t set available_quantity = available_quantity + o.quantity from o where t.id = o.tool_id`);
  const stateOf = async (order: string) => (await rows(sql`select state from orders where id = ${order}`))[0]!['state'];
  const count = async (table: string, order: string) =>
    Number((await rows(sql`select count(*) n from ${sql.identifier(table)} where order_id = ${order}`))[0]!['n']);
  const countPaid = async (order: string) =>
    Number((await rows(sql`select count(*) n from payments where order_id = ${order} and outcome = 'paid'`))[0]!['n']);
  /** What the sandbox really took, by order. */
  const charges = async (order: string) =>
    Number(
      (
        await rows(
          sql`select count(*) n from sandbox_intents where status = 'succeeded' and metadata->>'order_id' = ${order}`,
        )
      )[0]!['n'],
    );
  const intents = async (order: string) =>
    Number((await rows(sql`select count(*) n from sandbox_intents where metadata->>'order_id' = ${order}`))[0]!['n']);

  return {
    ...desk,
    provider,
    /** Runs once, exactly before the named step. */
    before: justBefore,
    looksAgain,
    unpaid,
    ask,
    patch,
    confirm,
    stripe,
    charged,
    sign,
    eventOf,
    webhook,
    rows,
    giveBack,
    stateOf,
    count,
    countPaid,
    charges,
    intents,
    findings: () => audit(deps),
  };
}

/** So that one customer may buy more than half of the stock, where that is wanted. */
const leastOf = (quantity: number, stock: number) => (quantity > stock / 2 ? Math.floor(stock / 4) + 1 : 1);

interface Wanted {
  quantity?: number;
  price?: number;
  stock?: number;
  who?: Customer;
}

export type PaymentTestKit = Awaited<ReturnType<typeof openPaymentTestKit>>;
