import { setTimeout as sleep } from 'node:timers/promises';
import { buyerOf } from './buyer.mjs';
import { Lost } from './client.mjs';

const REFUSED = [429, 503, 507];
const KEPT_IN_HAND = 200;

/** What a call may answer; after one of unknown outcome also what that outcome brings. */
function isExpected({ status, body }, entry, wanted) {
  if (status === wanted || REFUSED.includes(status)) return true;
  if (status === 409 && body.code === 'payment_in_progress') return true;
  if (status === 409 && body.code === 'order_paid') return entry.asked.has('paid');
  if (status === 404) return entry.asked.has('deleted');
  return status === 400 && entry.asked.has('paid') && body.error?.code === 'payment_intent_unexpected_state';
}

/**
 * People who order, delete and pay as fast as they are answered, until told to stop. The ledger knows what was
 * acknowledged; `touched` are the entries since it was last emptied.
 */
export function startLoad({ client, people, tools, random, workers = 8, pause = 0 }) {
  const buyer = buyerOf(client);
  const ledger = { entries: [], touched: new Set(), wrong: [], answers: 0, refused: 0, lost: 0, half: 0, slow: [] };
  let hand = [];
  let running = true;

  async function step(entry, work, wanted) {
    ledger.touched.add(entry);
    try {
      const answer = await work(entry);
      ledger.answers++;
      ledger.slow.push(answer.ms);
      if (REFUSED.includes(answer.status)) {
        ledger.refused++;
        await sleep(50);
      }
      if (!isExpected(answer, entry, wanted)) ledger.wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      return answer.status === wanted;
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      ledger.lost++;
      if (error.half) ledger.half++;
      await sleep(20);
      return false;
    }
  }

  async function order() {
    const entry = buyer.newEntry(random.one(people), random.one(tools), random.whole(1, 3));
    ledger.entries.push(entry);
    if (await step(entry, buyer.place, 201)) hand.push(entry);
  }

  async function handOne(work, wanted) {
    const entry = hand.splice(random.whole(0, hand.length - 1), 1)[0];
    await step(entry, work, wanted);
  }

  async function work() {
    while (running) {
      const dice = random.next();
      if (hand.length > KEPT_IN_HAND) hand = hand.slice(-KEPT_IN_HAND / 2);
      if (hand.length === 0 || dice < 0.5) await order();
      else if (dice < 0.75) await handOne(buyer.pay, 200);
      else await handOne(buyer.remove, 204);
      if (pause) await sleep(pause);
    }
  }

  const working = Promise.all(Array.from({ length: workers }, work));
  const stop = async () => {
    running = false;
    await working;
    return ledger;
  };
  return { ledger, stop };
}
