/**
 * Replacements that each remove one guard of money, stock, holds, refunds, mail or sessions. `npm run tool -- simulate --
 * --planted` measures how long the simulator needs to find each.
 */
const bugInPayments = (name, file, find, replace) => ({ name, file: `server/payments/${file}.ts`, find, replace });
const bugInOrders = (name, file, find, replace) => ({ name, file: `server/orders/${file}.ts`, find, replace });
const bugInServer = (name, file, find, replace) => ({ name, file: `server/${file}.ts`, find, replace });

const MONEY = [
  bugInPayments(
    'an unpaid intent counts as paid',
    'settlePayment',
    "if (intent.status !== 'succeeded') return { kind: 'not complete', orderId, intent };",
    '',
  ),
  bugInPayments(
    'money is recorded whether or not the order can be paid',
    'recordPayment',
    'if (refusal && refusal !== paymentInProgress) return `${locked.order.state} order`;',
    '',
  ),
  bugInPayments(
    'a payment pays an order that holds no stock',
    'recordPayment',
    'order.holdsStock || takeStock(tx, order)',
    'order.quantity > 0 || takeStock(tx, order)',
  ),
  bugInPayments(
    'a payment that comes too late is not recorded',
    'recordPayment',
    "...paymentOf(intent, orderId), outcome: 'refund due'",
    "...paymentOf({ ...intent, id: `${intent.id}x` }, orderId), outcome: 'refund due'",
  ),
  bugInPayments(
    'a payment is recorded a second time',
    'recordPayment',
    'if (outcome) return { outcome, stockTaken: false };',
    '',
  ),
  bugInPayments(
    'an intent has the wrong amount',
    'attempts',
    'amountCents: totalPrice * CENTS_PER_DOLLAR',
    'amountCents: totalPrice * CENTS_PER_DOLLAR + 100',
  ),
  bugInServer(
    'a delete goes on after it lost its claim',
    'holds/releaseOrder',
    "if (locked?.order.claimedUntil?.getTime() !== claim.until.getTime()) return 'claim lost';",
    "if (!locked) return 'claim lost';",
  ),
  bugInServer(
    'deleting leaves the intent payable',
    'holds/releaseOrder',
    "attempt ? await cancelAttempt(ctx, attempt) : 'ended'",
    "attempt && ctx.now().getTime() === 0 ? await cancelAttempt(ctx, attempt) : 'ended'",
  ),
  bugInServer(
    'deleting ignores an open payment',
    'holds/releaseOrder',
    "if (lastAttempt?.state !== 'open') {",
    "if (lastAttempt?.state !== 'open' || order.quantity > 0) {",
  ),
  bugInOrders('a paid order can be deleted', 'mayHappen', 'delete: refuseToDelete(facts)', 'delete: undefined'),
  bugInServer(
    'anyone can delete an order',
    'holds/releaseOrder',
    'ownerId: isAdmin(user) ? undefined : user.id',
    'ownerId: undefined',
  ),
];

const STOCK = [
  bugInServer('deleting does not return the stock', 'holds/releaseOrder', '  await returnStock(tx, order);\n', ''),
  bugInServer('the end of a hold does not return the stock', 'holds/endHolds', '  await returnStock(tx, order);\n', ''),
  bugInOrders('stock that is not held is returned', 'stock', '  if (!order.holdsStock) return;\n', ''),
  bugInOrders(
    'paying after the hold takes no stock',
    'reserveAgain',
    '  if (!(await takeStock(tx, order))) throw outOfStock(tool.min, tool.available);\n',
    '',
  ),
  bugInServer(
    'an offer takes no stock',
    'holds/offerPrice',
    'if (await takeStock(tx, order)) return;',
    'if (order.quantity > 0) return;',
  ),
  bugInServer(
    'an offer silently overwrites another offer',
    'holds/offerPrice',
    'if (was !== undefined && was !== order.unitPrice) throw otherOffer();',
    '',
  ),
  bugInServer(
    'correcting a price leaves the intent payable',
    'holds/releaseOrder',
    "if (lastAttempt?.state !== 'open') {",
    "if (lastAttempt?.state !== 'open' || question === 'price') {",
  ),
  bugInServer('nothing locks the order', 'db/lockedTransaction', '(orderId)} for no key update`', '(orderId)}`'),
  bugInOrders('an order does not lock the tool', 'lockTool', ' for no key update of tool', ''),
  bugInServer(
    'the orders of a customer do not wait for each other',
    'db/lockedTransaction',
    '(customerId)} for no key update`',
    '(customerId)}`',
  ),
  bugInOrders('the minimum quantity is ignored', 'placeOrder', 'quantity < min || ', ''),
  bugInOrders(
    'a customer may have any number of unpaid orders',
    'placeOrder',
    'else checkUnpaidOrders(ctx, tool);',
    '',
  ),
  bugInOrders(
    'a repeated request places a second order',
    'storeOrder',
    'const storedAnswer = call.key === undefined ? undefined : insertAnswer(call, order);',
    'const storedAnswer = undefined;',
  ),
  bugInServer(
    'a repeated restock request changes the stock twice',
    'catalog/tools',
    'return doOnce(tx, call, async () => {',
    'return doOnce(tx, { ...call, key: undefined }, async () => {',
  ),
  bugInServer(
    'an edit silently overwrites another edit',
    'catalog/tools',
    'if (changed.length === 0) return;',
    'if (changed.length >= 0) return;',
  ),
  bugInServer('an edit does not lock the tool', 'catalog/tools', ".for('no key update')", ''),
  bugInServer(
    'restocking does not update the stocked quantity',
    'catalog/writeTools',
    'stocked_quantity = tools.stocked_quantity + new."stockChange"',
    'stocked_quantity = tools.stocked_quantity',
  ),
];

const HOLDS = [
  bugInServer(
    'holds never end',
    'holds/endHolds',
    '${orders.holdUntil} <= ${ctx.now()}',
    '${orders.holdUntil} <= ${new Date(0)}',
  ),
  bugInServer(
    'the end of a hold leaves the payment open',
    'holds/endHolds',
    '{ ...claimed, attempt }',
    '{ ...claimed, attempt: undefined }',
  ),
  bugInOrders(
    'each payment extends the hold without a limit',
    'stock',
    'earlier(addMs(now, PAYMENT_HOLD_MS), holdLastAt ?? holdUntil!)',
    'addMs(now, 10 * PAYMENT_HOLD_MS)',
  ),
  bugInOrders(
    'a hold lasts for days',
    'stock',
    'const until = addMs(now, hours * HOUR_MS);',
    'const until = addMs(now, 24 * hours * HOUR_MS);',
  ),
];

const REFUNDS = [
  bugInPayments(
    'a payment that comes too late is not refunded',
    'checkRefunds',
    'if (!settings.refundLate) return;\n  const',
    'if (settings.refundLate) return;\n  const',
  ),
  bugInPayments('a refund does not restock', 'recordRefund', 'await returnStock(tx, order, row.restockPieces);', ''),
  bugInPayments('a refund has no credit note', 'recordRefund', 'await numberRefund(tx, row, rows, atCommit);', ''),
  bugInPayments(
    'a refund of some pieces ends the order',
    'recordRefund',
    'const isLeft = sumCentsOf(rows) < payment.amountCents;',
    'const isLeft = false;',
  ),
  bugInPayments(
    'a refund that fails returns its pieces to the stock',
    'recordRefund',
    "of changed.filter(({ state }) => state === 'succeeded')",
    'of changed',
  ),
  bugInPayments(
    'a refund of some cents at the provider counts as one of all pieces',
    'recordRefund',
    'order && amountCents === payment.amountCents ? order.quantity : null',
    'order ? order.quantity : null',
  ),
  bugInOrders(
    'two refunds of an order are requested at the same time',
    'mayHappen',
    '  if (isRefundOpen) return refundOpen;\n',
    '',
  ),
  bugInPayments(
    'more pieces return to the stock than were sold',
    'refunds',
    'Math.min(restockPieces, refundable.unreturnedPieces)',
    'restockPieces',
  ),
  bugInPayments(
    'a refund returns no pieces to the stock',
    'refunds',
    'restockPieces: Math.min(',
    'restockPieces: 0 * Math.min(',
  ),
  bugInPayments(
    'more pieces are refunded than are left',
    'refunds',
    'pieces !== undefined && pieces > leftPieces',
    'leftPieces < 0',
  ),
  bugInPayments(
    'a refund can be of any pieces for what is left',
    'refunds',
    'refundCentsOf(refundable, count)',
    'refundCentsOf(refundable, leftPieces)',
  ),
  bugInPayments(
    'the idempotency key of a refund does not name its row',
    'refunds',
    '`refund-${refund.id}-${refund.tries}`',
    '`refund-${refund.paymentId}-${refund.tries}`',
  ),
  bugInPayments(
    'a refund is sent again without looking for it at the provider',
    'refunds',
    '    await readAndRecordRefunds(ctx, refund.paymentId);\n    if (',
    '    if (',
  ),
  bugInPayments(
    'a suspended server sends a refund that another one has sent',
    'refunds',
    '  if (ctx.now().getTime() - claimedAt.getTime() >= LEASE_MS) return;\n',
    '',
  ),
  bugInPayments(
    'a repeated request refunds pieces again',
    'refunds',
    'return doOnce(tx, call, ',
    'return doOnce(tx, { ...call, key: undefined }, ',
  ),
  bugInOrders(
    'an order ships while it is refunded',
    'mayHappen',
    '  if (facts.isRefundOpen) return refundInProgress;\n',
    '',
  ),
  bugInPayments(
    'a requested refund is never sent again',
    'checkRefunds',
    "state === 'requested' ? sendRefund(ctx, id) : readAndRecordRefunds(ctx, paymentId)",
    "state === 'requested' ? Promise.resolve() : readAndRecordRefunds(ctx, paymentId)",
  ),
  bugInPayments(
    'a refund is recorded before the provider made it',
    'recordRefund',
    "STATE_BY_STATUS[status] ?? 'pending'",
    "STATE_BY_STATUS[status] ?? 'succeeded'",
  ),
];

const MAIL = [
  bugInServer(
    'two copies send the same email',
    'mail/mailQueue',
    '\n    and (lease_until is null or lease_until <= ${timestampSql(time)})',
    '',
  ),
  bugInServer(
    'a copy sends an email again that it is still recording',
    'mail/mailQueue',
    '\n    and id <> all(${sql.param([...inProgress])}::bigint[])',
    '',
  ),
  bugInServer(
    'an email that was sent stays queued',
    'mail/mailQueue',
    "{ state: 'sent', sentAt",
    "{ state: 'queued', sentAt",
  ),
  bugInPayments(
    'a payment queues no email',
    'recordPayment',
    "  await queueMail(tx, 'payment received', orderId);\n",
    '',
  ),
  bugInPayments(
    'a refund queues no email',
    'recordRefund',
    "    await queueMail(tx, 'refunded', order.id, row.id);\n",
    '',
  ),
  bugInPayments(
    'the refund of a late payment queues no email',
    'recordRefund',
    "await queueMail(tx, 'payment returned', payment.orderId, payment.intentId)",
    'return',
  ),
  bugInOrders(
    'an order queues no email',
    'storeOrder',
    'queued_mail as (${insertMail(order, stateOfNewMail(settings))})',
    'queued_mail as (select)',
  ),
  bugInOrders('a shipment queues no email', 'shipments', "    await queueMail(tx, 'shipped', order.id);\n", ''),
];

const SESSIONS = [
  bugInServer(
    'a token still works after sign-out',
    'auth/access',
    '!caller || caller.hasEnded || isRevoked',
    '!caller || isRevoked',
  ),
  bugInServer(
    'sign-out is not stored',
    'auth/sessions',
    'userId: id, authTime, endedAt: now }',
    'userId: id, authTime: new Date(0), endedAt: now }',
  ),
  bugInServer(
    "the operator's sign-out is ignored",
    'auth/access',
    'return blockedAt !== null || signedOut || issuedAt < sessionsValidFrom;',
    'return blockedAt !== null;',
  ),
  bugInServer('customers can use admin routes', 'auth/access', 'if (!isAdmin(request.user)) throw forbidden();', ''),
];

export const PLANTED_BUGS = [...MONEY, ...STOCK, ...HOLDS, ...REFUNDS, ...MAIL, ...SESSIONS];
