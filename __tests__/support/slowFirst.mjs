import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** What mostly waits stands between what keeps a browser and both cores busy, so that never two wait beside each other. */
const SLOW = [
  'server/payments.orders',
  'browser/dashboardLook',
  'browser/hostileText',
  'browser/payment',
  'server/payments.faults',
  'browser/session.refused',
  'server/identity.compare',
  'browser/dashboard',
  'server/embedded',
  'browser/keyboard',
  'browser/emulator',
  'server/stopping',
  'browser/session',
  'browser/orders',
  'server/identity.limits',
  'browser/myOrders',
  'browser/offline',
  'server/copies.stranded',
  'browser/reader',
  'browser/captive',
  'server/payments.crash',
  'browser/parts',
  'browser/sandboxCard',
  'server/busy',
  'browser/visitorsLook',
  'browser/weight',
  'server/house',
];

function place({ path }) {
  const at = SLOW.findIndex((name) => path.endsWith(join(...`${name}.test.ts`.split('/'))));
  return at < 0 ? SLOW.length : at;
}

/** In a clean checkout jest knows no durations: a long file begun last would keep one worker busy and the other idle. */
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
