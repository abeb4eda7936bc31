import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import type { Fault } from '../../../embedded/stripe';
import type { Order } from '../../../src/contract/entities';
import { CARDS } from '../../support/cards';
import { openPaymentTestKit } from '../../support/payments';
import { createStripeSdk } from '../../../embedded/stripe/tests/sandbox';
import { advanceMonotonicClock } from '../../support/shop';
import { expectEventually } from '../../support/wait';

type ProviderCall = { method: string; path: string };
type Options = Parameters<typeof openPaymentTestKit>[0];
type ChargeOptions = { card?: string; quantity?: number; price?: number; stock?: number };

export const REFUND = { reason: 'broken', restock: false };

/** Starts a shop whose provider uses the test's clock and faults, and sends events only on request. */
export async function openRefundTestKit(options: Options = {}) {
  const control = { offsetMs: 0, faultFor: (_: ProviderCall): Fault | undefined => undefined };
  const calls: ProviderCall[] = [];
  const kit = await openPaymentTestKit({
    now: () => new Date(Date.now() + control.offsetMs),
    faults: {
      onCall: (call) => {
        calls.push(call);
        return control.faultFor(call);
      },
      onDelivery: () => [],
    },
    ...options,
  });
  const { id: adminId, email } = await kit.createCustomer('admin');
  /** Issues a new token each time, because a test may advance the clock past a token's expiry. */
  const asAdmin = () => ({ id: adminId, email, token: kit.deps.tokens.issue(adminId) });
  const stripe = createStripeSdk(kit.sandbox!);

  async function createChargedOrder({ card = CARDS.pays, ...rest }: ChargeOptions = {}) {
    const unpaidOrder = await kit.createUnpaidOrder(rest);
    const { body } = await kit.createIntent(unpaidOrder.customer, unpaidOrder.order._id, unpaidOrder.total);
    const { intentId } = await kit.confirm(body.clientSecret, card);
    return { ...unpaidOrder, id: unpaidOrder.order._id, intentId };
  }

  async function createPaidOrder(options: ChargeOptions = {}) {
    const chargedOrder = await createChargedOrder(options);
    expect((await kit.patchOrder(chargedOrder.customer, chargedOrder.id, chargedOrder.intentId)).status).toBe(200);
    return chargedOrder;
  }

  const requestRefund = (id: string, draft: object = REFUND, by = asAdmin(), headers: Record<string, string> = {}) =>
    kit.call(by, 'POST', `/order/${id}/refund`, draft, headers);
  const ship = (id: string, despiteDispute?: true) =>
    kit.call(asAdmin(), 'POST', `/order/${id}/shipment`, { carrier: 'UPS', tracking: '1Z 999', despiteDispute });
  const readOrder = async (id: string) => (await kit.call<Order>(asAdmin(), 'GET', `/order/${id}`)).body;
  const listRefunds = async (intent: string) => (await stripe.refunds.list({ payment_intent: intent })).data;

  const readRefund = async (intentId: string) =>
    (
      await kit.queryRows(
        sql`select state, tries, refund_id as id, error, restock_pieces as restock from refunds
          where payment_id = ${intentId} order by created_at desc`,
      )
    )[0];

  /** @returns the provider's events of this type about a payment as JSON, oldest first */
  async function readEvents(intentId: string, type: string): Promise<string[]> {
    const rows = await kit.queryRows(sql`
      select body::text as raw from embedded_stripe.events where type = ${type}
        and ${intentId} in (body #>> '{data,object,payment_intent}', body #>> '{data,object,id}')
      order by created_at, id`);
    return rows.map(({ raw }) => raw!);
  }

  async function sendEvent(intentId: string, type: string): Promise<number> {
    const raw = (await readEvents(intentId, type)).at(-1);
    if (!raw) throw new Error(`The provider has no event ${type} about ${intentId}.`);
    return (await kit.sendWebhook(raw)).status;
  }

  /** Advances the clock by a minute, and waits until the provider has changed the refund or dispute. */
  async function waitForProvider(read: () => Promise<string | null | undefined>, status: string): Promise<void> {
    control.offsetMs += 60_000;
    await expectEventually(read, status);
  }

  const waitForRefund = (intentId: string, status: string) =>
    waitForProvider(async () => (await listRefunds(intentId))[0]?.status, status);
  const readDispute = async (intentId: string) =>
    (await kit.queryRows(sql`select status from embedded_stripe.disputes where intent_id = ${intentId}`))[0]?.[
      'status'
    ];
  const waitForDispute = (intentId: string, status: string) => waitForProvider(() => readDispute(intentId), status);

  const countMails = async (kind: string, order: string) =>
    (await kit.queryRows(sql`select from mails where kind = ${kind} and order_id = ${order}`)).length;
  const readFindings = async () => (await kit.runAudit()).map(({ name, subject }) => [name, subject]);

  /** Sweeps as if a minute had passed. */
  async function sweep() {
    control.offsetMs += 61_000;
    await sweepOnce(kit.deps);
  }

  return {
    ...kit,
    control,
    calls,
    asAdmin,
    stripe,
    createChargedOrder,
    createPaidOrder,
    requestRefund,
    ship,
    readOrder,
    listRefunds,
    readRefund,
    sendEvent,
    readEvents,
    waitForRefund,
    waitForDispute,
    readDispute,
    countMails,
    readFindings,
    sweep,
  };
}

export type RefundTestKit = Awaited<ReturnType<typeof openRefundTestKit>>;

/** Ends all faults. Advances the clock of the circuit breaker, so that the next call is sent immediately. */
export async function endFaults({ control, provider }: RefundTestKit): Promise<void> {
  control.faultFor = () => undefined;
  const clock = advanceMonotonicClock(60_000);
  await provider.listRefunds('pi_unknown');
  clock.mockRestore();
}

/** Applies a fault to requests that create a refund, at most `times` times. Calls `onFault` for each of them. */
export function failRefunds({ control }: RefundTestKit, fault: Fault, times = Infinity, onFault = () => {}): void {
  let remaining = times;
  control.faultFor = ({ method, path }) => {
    if (method !== 'POST' || path !== '/v1/refunds' || remaining-- <= 0) return undefined;
    onFault();
    return fault;
  };
}
