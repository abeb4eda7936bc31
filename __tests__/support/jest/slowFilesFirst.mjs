import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Slow test files. Files that mostly wait alternate with files that keep both cores busy. */
const SLOW = [
  'server/payments/eventPermutations',
  'browser/admin/manageOrders',
  'browser/payment/payment',
  'browser/catalog/findTools',
  'server/payments/providerFaults',
  'tooling/simulator',
  'browser/site/pendingAndFailedAccessibility',
  'browser/orders/receipt',
  'server/payments/refunds',
  'browser/admin/editTools',
  'browser/orders/myOrders',
  'browser/admin/dashboard',
  'browser/site/screenReader',
  'server/operations/stopping',
  'browser/site/offline',
  'browser/site/hostileText',
  'pages/admin/adminCheck',
  'browser/admin/dashboardAccessibility',
  'browser/site/announcements',
  'server/payments/eventTable',
  'browser/orders/purchase',
  'browser/auth/changePassword',
  'server/orders/lists.limits',
  'browser/admin/removeReview',
  'browser/orders/purchaseShortcuts',
  'embedded/postgres/tests/postgres',
  'browser/site/keyboard',
  'browser/auth/session',
  'server/payments/refundRaces',
  'browser/auth/session.errors',
  'browser/auth/session.renewal',
  'server/payments/doctor',
  'browser/admin/manageOrders.changes',
  'browser/site/captivePortal',
  'server/http/loadShedding',
  'browser/site/chunks',
  'browser/site/visitorPagesAccessibility',
  'browser/site/hydration',
  'browser/orders/newCustomer',
  'browser/site/slowResponses',
  'pages/orders/purchaseForm',
  'browser/payment/paymentLimits',
  'browser/payment/lostResponse',
  'browser/payment/sandboxCard',
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
