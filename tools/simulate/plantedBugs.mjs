/**
 * Changes that each remove one guard of money, stock, holds, refunds, mail or sessions: within a function, a place
 * (see `plant.mjs`) becomes other code. `npm run tool -- simulate --planted` measures how long the simulator needs to
 * find each.
 */
const bugsIn = (file, bugs) =>
  bugs.map(([name, within, place, becomes]) => ({ file: `server/${file}.ts`, name, within, place, becomes }));

const SAME_CALL = '{ ...call, key: undefined }';
const NOTHING = 'undefined';
/** Transactions that lock a row like this do not wait for each other. */
const NO_LOCK = ['text no key update', 'key share'];

export const PLANTED_BUGS = [
  ...bugsIn('payments/settlePayment', [
    ['an unpaid intent counts as paid', 'settleIntent', 'condition status succeeded', 'false'],
  ]),
  ...bugsIn('payments/recordPayment', [
    ['money is recorded whether or not the order can be paid', 'findRefundReason', 'condition refusal', 'false'],
    ['a payment pays an order that holds no stock', 'hasStock', 'call takeStock', 'true'],
    [
      'a payment that comes too late is not recorded',
      'storeRefundDue',
      'call paymentOf',
      'paymentOf({ ...intent, id: `${intent.id}x` }, orderId)',
    ],
    ['a payment is recorded a second time', 'recordPayment', 'condition outcome', 'false'],
    ['a payment queues no email', 'markPaid', 'call queueMail', NOTHING],
  ]),
  ...bugsIn('payments/attempts', [
    [
      'an intent has the wrong amount',
      'createAttemptDraft',
      'property amountCents',
      'totalPrice * CENTS_PER_DOLLAR + 100',
    ],
  ]),
  ...bugsIn('holds/releaseOrder', [
    ['a delete goes on after it lost its claim', 'releaseOrder', 'comparison claimedUntil', '!locked'],
    ['deleting leaves the intent payable', 'releaseOrder', 'call cancelAttempt', `'ended'`],
    ['deleting ignores an open payment', 'changeOrClaim', 'comparison lastAttempt', 'true'],
    ['correcting a price leaves the intent payable', 'changeOrClaim', 'comparison lastAttempt', `question === 'price'`],
    ['anyone can delete an order', 'deleteOrder', 'property ownerId', NOTHING],
    ['deleting does not return the stock', 'markDeleted', 'call returnStock', NOTHING],
  ]),
  ...bugsIn('holds/endHolds', [
    ['the end of a hold does not return the stock', 'endHold', 'call returnStock', NOTHING],
    ['the end of a hold leaves the payment open', 'endClaimedHold', 'property attempt', NOTHING],
    ['holds never end', 'endExpiredHolds', 'call now', 'new Date(0)'],
  ]),
  ...bugsIn('holds/offerPrice', [
    ['an offer takes no stock', 'reserveOffer', 'call takeStock', 'true'],
    ['an offer silently overwrites another offer', 'offerPrice', 'condition was', 'false'],
  ]),
  ...bugsIn('orders/mayHappen', [
    ['a paid order can be deleted', 'mayHappen', 'call refuseToDelete', NOTHING],
    ['two refunds of an order are requested at the same time', 'refuseToRefund', 'condition isRefundOpen', 'false'],
    ['an order ships while it is refunded', 'refuseToShip', 'condition isRefundOpen', 'false'],
  ]),
  ...bugsIn('orders/stock', [
    ['stock that is not held is returned', 'returnStock', 'condition holdsStock', 'false'],
    [
      'each payment extends the hold without a limit',
      'extendedHold',
      'call earlier',
      'addMs(now, 10 * PAYMENT_HOLD_MS)',
    ],
    ['a hold lasts for days', 'longHold', 'variable until', 'addMs(now, 24 * hours * HOUR_MS)'],
  ]),
  ...bugsIn('orders/reserveAgain', [
    ['paying after the hold takes no stock', 'reserveAgain', 'condition takeStock', 'false'],
  ]),
  ...bugsIn('orders/placeOrder', [
    ['the minimum quantity is ignored', 'findUnpricedReason', 'comparison quantity min', 'false'],
    ['a customer may have any number of unpaid orders', 'placeLocked', 'call checkUnpaidOrders', NOTHING],
  ]),
  ...bugsIn('orders/storeOrder', [
    ['a repeated request places a second order', 'storeOrder', 'call insertAnswer', NOTHING],
    ['an order queues no email', 'storeOrder', 'call insertMail', 'sql`select`'],
  ]),
  ...bugsIn('orders/shipments', [['a shipment queues no email', 'markShipped', 'call queueMail', NOTHING]]),
  ...bugsIn('orders/lockTool', [['an order does not lock the tool', 'lockTool', ...NO_LOCK]]),
  ...bugsIn('db/lockedTransaction', [
    ['nothing locks the order', 'lockOrder', ...NO_LOCK],
    ['the orders of a customer do not wait for each other', 'lockCustomer', ...NO_LOCK],
  ]),
  ...bugsIn('catalog/tools', [
    ['a repeated restock request changes the stock twice', 'editTool', 'argument doOnce', SAME_CALL],
    ['an edit silently overwrites another edit', 'requireUnchanged', 'condition changed', 'true'],
    ['an edit does not lock the tool', 'lockTool', ...NO_LOCK],
  ]),
  ...bugsIn('payments/checkRefunds', [
    ['a payment that comes too late is not refunded', 'refundLatePayments', 'condition refundLate', 'true'],
    ['a requested refund is never sent again', 'checkOpenRefunds', 'call sendRefund', 'Promise.resolve()'],
  ]),
  ...bugsIn('payments/recordRefund', [
    ['a refund does not restock', 'updateRefundedOrder', 'call returnStock', NOTHING],
    ['a refund has no credit note', 'updateRefundedOrder', 'call numberRefund', NOTHING],
    ['a refund of some pieces ends the order', 'updateRefundedOrder', 'variable isLeft', 'false'],
    ['a refund that fails returns its pieces to the stock', 'updateRefundedOrder', 'call filter', 'changed'],
    ['a refund queues no email', 'updateRefundedOrder', 'call queueMail', NOTHING],
    ['the refund of a late payment queues no email', 'markReturned', 'call queueMail', NOTHING],
    [
      'a refund of some cents at the provider counts as one of all pieces',
      'storeForeignRefund',
      'comparison amountCents',
      'true',
    ],
    ['a refund is recorded before the provider made it', 'refundStateOf', 'text pending', 'succeeded'],
  ]),
  ...bugsIn('payments/refunds', [
    ['more pieces return to the stock than were sold', 'readDraft', 'call min', 'restockPieces'],
    ['a refund returns no pieces to the stock', 'readDraft', 'property restockPieces', '0'],
    ['more pieces are refunded than are left', 'readDraft', 'comparison leftPieces', 'leftPieces < 0'],
    [
      'a refund can be of any pieces for what is left',
      'readDraft',
      'call refundCentsOf',
      'refundCentsOf(refundable, leftPieces)',
    ],
    [
      'the idempotency key of a refund does not name its row',
      'callProvider',
      'property idempotencyKey',
      '`refund-${refund.paymentId}-${refund.tries}`',
    ],
    ['a refund is sent again without looking for it at the provider', 'sendRefund', 'condition checkedAt', 'false'],
    ['a suspended server sends a refund that another one has sent', 'sendRefund', 'condition LEASE_MS', 'false'],
    ['a repeated request refunds pieces again', 'requestRefund', 'argument doOnce', SAME_CALL],
  ]),
  ...bugsIn('mail/mailQueue', [
    ['two copies send the same email', 'claimMail', 'property leaseUntil', 'time'],
    ['a copy sends an email again that it is still recording', 'due', 'call param', 'sql.param([])'],
    ['an email that was sent stays queued', 'markSent', 'property state', `'queued'`],
  ]),
  ...bugsIn('auth/access', [
    ['a token still works after sign-out', 'requireUser', 'value hasEnded', 'false'],
    ["the operator's sign-out is ignored", 'isRevoked', 'returned', 'blockedAt !== null'],
    ['customers can use admin routes', 'requireAdmin', 'condition isAdmin', 'false'],
  ]),
  ...bugsIn('auth/sessions', [['sign-out is not stored', 'endSession', 'property authTime', 'new Date(0)']]),
];
