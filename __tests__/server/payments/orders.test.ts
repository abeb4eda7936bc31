import { sql } from 'drizzle-orm';
import { checkOpenAttempts } from '../../../server/payments/reconcile';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let desk: PaymentTestKit;
let who: Awaited<ReturnType<PaymentTestKit['customer']>>;
let tool: Awaited<ReturnType<PaymentTestKit['tool']>>;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
  [who, tool] = await Promise.all([desk.customer(), desk.tool({ availableQuantity: 1_000_000 })]);
});
afterAll(() => desk.close());

function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length < 2) yield items;
  else
    for (const [at, item] of items.entries())
      for (const rest of permutations(items.filter((_, other) => other !== at))) yield [item, ...rest];
}

interface Case {
  order: string;
  intentId: string;
  clientSecret: string;
  event: string;
}

const EVENTS = {
  confirm: ({ clientSecret }: Case) => desk.confirm(clientSecret),
  patch: ({ order, intentId }: Case) => desk.patch(who, order, intentId),
  webhook: ({ event }: Case) => desk.webhook(event),
  'failed webhook': ({ intentId }: Case) => desk.webhook(desk.eventOf(intentId, 'payment_intent.payment_failed')),
  sweep: () => checkOpenAttempts(desk.deps),
  delete: ({ order }: Case) => desk.call(who, 'DELETE', `/order/${order}`),
};
type Name = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS) as Name[];

async function inTurn(names: Name[], one: Case) {
  for (const name of names) await EVENTS[name](one);
}

/** The first that has something to write down is held exactly before it does, until all the others are done. */
async function firstHeld(names: Name[], one: Case) {
  const left = [...names];
  const all = async () => {
    for (let name = left.shift(); name; name = left.shift()) await EVENTS[name](one);
  };
  for (const step of ['settle', 'finish delete'] as const) desk.before(step, all);
  await all();
}

async function begun(): Promise<Case> {
  const { body } = await desk.order(who, { productName: tool.name, toolId: tool.id, totalQuantity: 2 });
  const { clientSecret } = (await desk.ask(who, body._id, 14)).body;
  const intentId = clientSecret.split('_secret_')[0]!;
  return { order: body._id, intentId, clientSecret, event: desk.eventOf(intentId) };
}

async function endOf({ order }: Case) {
  const [end] = await desk.rows(sql`
    select state,
      (select count(*)::int from sandbox_intents
        where status = 'succeeded' and metadata->>'order_id' = o.id::text) as charges,
      (select count(*)::int from payments where order_id = o.id and outcome = 'paid') as payments,
      (select count(*)::int from payments where order_id = o.id and outcome = 'refund due') as due
    from orders o where id = ${order}`);
  return JSON.stringify(end);
}

const PAID = JSON.stringify({ state: 'paid', charges: 1, payments: 1, due: 0 });
const DELETED = JSON.stringify({ state: 'deleted', charges: 0, payments: 0, due: 0 });

/** Whichever of the two comes first decides, whatever else comes and when. */
function wanted(names: Name[]) {
  const [confirmed, deleted] = [names.indexOf('confirm'), names.indexOf('delete')];
  return confirmed < 0 || (deleted >= 0 && deleted < confirmed) ? DELETED : PAID;
}

type Looked = (names: Name[], one: Case) => Promise<void>;

/** All orders of the six, looked at wherever the way of sending them says so. */
async function holdsInAllOrders(way: (names: Name[], one: Case, look: Looked) => Promise<void>) {
  const odd: string[] = [];
  const look: Looked = async (names, one) => {
    const end = await endOf(one);
    if (end !== wanted(names)) odd.push(`${names.join(', ')}: ${end}`);
  };
  let count = 0;
  for (const names of permutations(NAMES)) {
    await way(names, await begun(), look);
    count++;
  }
  expect(odd).toEqual([]);
  expect(count).toBe(720);
  expect(await desk.findings()).toEqual([]);
}

// Clause C.8.11
it('A payment is paid and charged once, or deleted and never charged, in all 720 orders of its events, and when all come again', async () => {
  await holdsInAllOrders(async (names, one, look) => {
    await inTurn(names, one);
    await look(names, one);
    await inTurn(names, one);
    await look(names, one);
  });
}, 900_000);

it('So it is in all 720 orders with the first event lost, the next held in its midst, one sweep, and the lost one late', async () => {
  await holdsInAllOrders(async ([lost, ...names], one, look) => {
    await firstHeld(names, one);
    await EVENTS.sweep();
    await look(names, one);
    await EVENTS[lost!](one);
    await look([...names, lost!], one);
  });
}, 900_000);
