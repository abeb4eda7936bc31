import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Slow files. Those that mostly wait alternate with those that keep both cores busy. */
const SLOW = [
  'server/payments/orders',
  'browser/admin/dashboardLook',
  'browser/site/hostileText',
  'browser/payment/payment',
  'server/payments/faults',
  'browser/auth/session.refused',
  'embedded/firebase-auth/tests/compare',
  'browser/admin/dashboard',
  'embedded/postgres/tests/postgres',
  'browser/site/keyboard',
  'browser/auth/emulator',
  'server/operations/stopping',
  'browser/auth/session',
  'browser/orders/purchase',
  'embedded/firebase-auth/tests/limits',
  'browser/orders/myOrders',
  'browser/site/offline',
  'server/operations/copies.stranded',
  'browser/site/screenReader',
  'browser/site/captivePortal',
  'server/payments/crash',
  'browser/site/chunks',
  'browser/payment/sandboxCard',
  'server/http/loadShedding',
  'browser/site/visitorsLook',
  'browser/site/weight',
  'server/operations/startup',
];

function place({ path }) {
  const at = SLOW.findIndex((name) => path.endsWith(join(...`${name}.test.ts`.split('/'))));
  return at < 0 ? SLOW.length : at;
}

/** Runs slow files first: in a clean checkout Jest knows no durations, and a slow last file leaves one worker idle. */
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
