import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** The slowest test files. Each run prints them. */
const SLOW = [
  'server/payments/eventTable',
  'tooling/simulator',
  'embedded/postgres/tests/postgres',
  'browser/site/keyboard',
  'server/operations/startup',
  'browser/site/chunks',
  'server/payments/refundRaces',
  'pages/orders/purchaseForm',
  'browser/catalog/findTools',
  'browser/site/hostileText',
  'browser/admin/manageOrders',
  'browser/site/hydration',
];

function rank({ path }) {
  const name = path.replace(/\.test\.tsx?$/, '');
  const index = SLOW.findIndex((slow) => name.endsWith(join(...slow.split('/'))));
  return index < 0 ? SLOW.length : index;
}

/**
 * Runs slow files first. Jest does so only if it has recorded their durations, which a clean checkout lacks. If a slow
 * file ran last, the other workers would be idle meanwhile.
 */
export default class SlowFilesFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
