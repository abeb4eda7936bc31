import { sql } from 'drizzle-orm';
import { checkOpenAttempts } from '../../../server/payments/reconcile';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let testKit: PaymentTestKit;
let customer: Awaited<ReturnType<PaymentTestKit['createCustomer']>>;
let tool: Awaited<ReturnType<PaymentTestKit['createTool']>>;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
  [customer, tool] = await Promise.all([
    testKit.createCustomer(),
    testKit.createTool({ availableQuantity: 1_000_000 }),
  ]);
});
afterAll(() => testKit.close());

const SEQUENCES = 720;
/** How many sequences run. `npm run verify -- sequences` runs all. */
const CHOSEN = process.env['ALL_SEQUENCES'] === 'true' ? SEQUENCES : 24;
/** Has no divisor in common with 720, so that the chosen sequences begin and end with every event. */
const STRIDE = 77;

function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length < 2) yield items;
  else
    for (const [index, item] of items.entries())
      for (const rest of permutations(items.filter((_, other) => other !== index))) yield [item, ...rest];
}

interface StartedPayment {
  order: string;
  intentId: string;
  clientSecret: string;
  event: string;
}

const EVENTS = {
  confirm: ({ clientSecret }: StartedPayment) => testKit.confirm(clientSecret),
  patch: ({ order, intentId }: StartedPayment) => testKit.patchOrder(customer, order, intentId),
  webhook: ({ event }: StartedPayment) => testKit.sendWebhook(event),
  'failed webhook': ({ intentId }: StartedPayment) =>
    testKit.sendWebhook(testKit.webhookEvent(intentId, 'payment_intent.payment_failed')),
  checkAttempts: () => checkOpenAttempts(testKit.deps),
  delete: ({ order }: StartedPayment) => testKit.call(customer, 'DELETE', `/order/${order}`),
};
type EventName = keyof typeof EVENTS;
const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

async function runInSequence(names: EventName[], payment: StartedPayment) {
  for (const name of names) await EVENTS[name](payment);
}

/** Pauses the first event that is about to record something, until all other events have been handled. */
async function runWithFirstPaused(names: EventName[], payment: StartedPayment) {
  const remaining = [...names];
  const runRemaining = async () => {
    for (let name = remaining.shift(); name; name = remaining.shift()) await EVENTS[name](payment);
  };
  for (const step of ['settle', 'finish delete'] as const) testKit.runBefore(step, runRemaining);
  await runRemaining();
}

async function startPayment(): Promise<StartedPayment> {
  const { body } = await testKit.placeOrder(customer, { productName: tool.name, toolId: tool.id, totalQuantity: 2 });
  const { body: intent, intentId } = await testKit.createIntent(customer, body._id, 14);
  return { order: body._id, intentId, clientSecret: intent.clientSecret, event: testKit.webhookEvent(intentId) };
}

async function readOutcome({ order }: StartedPayment) {
  const [outcome] = await testKit.queryRows(sql`
    select state,
      (select count(*)::int from embedded_stripe.intents
        where status = 'succeeded' and metadata->>'order_id' = o.id::text) as charges,
      (select count(*)::int from payments where order_id = o.id and outcome = 'paid') as payments,
      (select count(*)::int from payments where order_id = o.id and outcome = 'refund due') as due
    from orders o where id = ${order}`);
  return JSON.stringify(outcome);
}

const PAID = JSON.stringify({ state: 'paid', charges: 1, payments: 1, due: 0 });
const DELETED = JSON.stringify({ state: 'deleted', charges: 0, payments: 0, due: 0 });

/** The outcome depends only on whether confirm or delete happens first. */
function expectedOutcome(names: EventName[]) {
  const [confirmed, deleted] = [names.indexOf('confirm'), names.indexOf('delete')];
  return confirmed < 0 || (deleted >= 0 && deleted < confirmed) ? DELETED : PAID;
}

type CheckOutcome = (names: EventName[], payment: StartedPayment) => Promise<void>;

/** Calls `run` with sequences of the six events. `run` calls `checkOutcome` whenever an outcome is final. */
async function checkPermutations(
  run: (names: EventName[], payment: StartedPayment, checkOutcome: CheckOutcome) => Promise<void>,
) {
  const unexpected: string[] = [];
  const checkOutcome: CheckOutcome = async (names, payment) => {
    const outcome = await readOutcome(payment);
    if (outcome !== expectedOutcome(names)) unexpected.push(`${names.join(', ')}: ${outcome}`);
  };
  const sequences = [...permutations(EVENT_NAMES)];
  expect(sequences).toHaveLength(SEQUENCES);
  for (let n = 0; n < CHOSEN; n++) await run(sequences[(n * STRIDE) % SEQUENCES]!, await startPayment(), checkOutcome);
  expect(unexpected).toEqual([]);
  expect(await testKit.runAudit()).toEqual([]);
}

// Clause C.8.11
it('whatever the sequence of its events, a payment is charged and recorded once, or not at all if the order was deleted before', async () => {
  await checkPermutations(async (names, payment, checkOutcome) => {
    await runInSequence(names, payment);
    await checkOutcome(names, payment);
    await runInSequence(names, payment);
    await checkOutcome(names, payment);
  });
}, 900_000);

it('whatever the sequence of its events, a payment is recorded once even if one event is handled slowly and another arrives last', async () => {
  await checkPermutations(async ([lastName, ...names], payment, checkOutcome) => {
    await runWithFirstPaused(names, payment);
    await EVENTS.checkAttempts();
    await checkOutcome(names, payment);
    await EVENTS[lastName!](payment);
    await checkOutcome([...names, lastName!], payment);
  });
}, 900_000);
