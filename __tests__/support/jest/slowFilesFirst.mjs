import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Slow test files. Files that mostly wait alternate with files that keep both cores busy. */
const SLOW = [
  'server/payments/eventPermutations',
  'browser/admin/dashboardAccessibility',
  'browser/site/hostileText',
  'browser/payment/payment',
  'server/payments/providerFaults',
  'browser/auth/session.errors',
  'embedded/firebase-auth/tests/compareWithEmulator',
  'browser/admin/dashboard',
  'embedded/postgres/tests/postgres',
  'browser/site/keyboard',
  'browser/auth/emulator',
  'server/operations/stopping',
  'browser/auth/session',
  'browser/orders/purchase',
  'embedded/firebase-auth/tests/loginLimits',
  'browser/orders/myOrders',
  'browser/site/offline',
  'server/operations/copies.hangingDatabase',
  'browser/site/screenReader',
  'browser/site/captivePortal',
  'server/payments/serverCrash',
  'browser/site/chunks',
  'browser/payment/sandboxCard',
  'server/http/loadShedding',
  'browser/site/visitorPagesAccessibility',
  'browser/site/pageWeight',
  'server/operations/startup',
];

function rank({ path }) {
  const index = SLOW.findIndex((name) => path.endsWith(join(...`${name}.test.ts`.split('/'))));
  return index < 0 ? SLOW.length : index;
}

/**
 * Runs slow files first. Jest does so only if it has recorded their durations, which a clean checkout lacks. If a slow
 * file ran last, the other worker would be idle meanwhile.
 */
export default class SlowFilesFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
