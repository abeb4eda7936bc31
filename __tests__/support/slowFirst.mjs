import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

const SLOW = [
  'server/payments.orders',
  'server/embedded',
  'browser/dashboardLook',
  'browser/hostileText',
  'browser/visitorsLook',
  'browser/payment',
  'browser/session.refused',
  'server/copies.stranded',
  'server/payments.faults',
  'server/payments.crash',
  'server/identity.compare',
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
