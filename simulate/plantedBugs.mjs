/**
 * Replacements that each remove one guard of money, stock, holds, refunds, mail or sessions. `npm run simulate --
 * --planted` measures how long the simulator needs to find each.
 */
const bugInPayments = (name, file, find, replace) => ({ name, file: `server/payments/${file}.ts`, find, replace });
const bugInOrders = (name, file, find, replace) => ({ name, file: `server/orders/${file}.ts`, find, replace });
const bugInServer = (name, file, find, replace) => ({ name, file: `server/${file}.ts`, find, replace });

const MONEY = [
  bugInPayments(
    'an unpaid intent counts as paid',
    'settlePayment',
    "if (status !== 'succeeded') return { kind: 'not complete', orderId, status };",
    '',
  ),
  bugInPayments(
    'the fast path of a payment ignores whether the order can be paid',
    'recordPayment',
    'and ${reasonNotPayable(receivedCents, currency)} is null',
    '',
  ),
  bugInPayments(
    'a payment pays an order that holds no stock',
    'payability',
    "when not o.holds_stock then 'stock' end)",
    'end)',
  ),
  bugInPayments(
    'a payment that comes too late is not recorded',
    'recordPayment',
    ".values({ intentId: id, orderId, outcome: 'refund due'",
    ".values({ intentId: `${id}x`, orderId, outcome: 'refund due'",
  ),
  bugInPayments(
    'a payment closes its attempt but is not recorded',
    'recordPayment',
    '${card?.last4 ?? null} from paid_order',
    '${card?.last4 ?? null} from paid_order where false',
  ),
  bugInPayments(
    'an intent has the wrong amount',
    'attempts',
    'amountCents: totalPrice * CENTS_PER_DOLLAR',
    'amountCents: totalPrice * CENTS_PER_DOLLAR + 100',
  ),
  bugInPayments(
    'a payment starts for an order that cannot be paid',
    'startPayment',
    'and ${reasonNotPayable(draft.amountCents)} is null',
    '',
  ),
  bugInPayments('a delete goes on after it lost its claim', 'releaseOrder', 'eq(orders.deletingUntil, until), ', ''),
  bugInPayments(
    'deleting leaves the intent payable',
    'releaseOrder',
    "attempt ? await cancelAttempt(ctx, attempt) : 'ended'",
    "attempt && ctx.now().getTime() === 0 ? await cancelAttempt(ctx, attempt) : 'ended'",
  ),
  bugInPayments(
    'deleting ignores an open payment',
    'releaseOrder',
    'const attempt = await findOpenAttempt(tx, orderId);',
    'const attempt = undefined as AttemptRow | undefined;',
  ),
  bugInPayments('a paid order can be deleted', 'releaseOrder', "if (order.state === 'paid') throw orderPaid();", ''),
  bugInPayments(
    'deleting does not lock the order',
    'releaseOrder',
    ".where(and(eq(orders.id, id), isOwner))\n    .for('update');",
    '.where(and(eq(orders.id, id), isOwner));',
  ),
  bugInPayments(
    'anyone can delete an order',
    'releaseOrder',
    'const isOwner = isAdmin(user) ? undefined : eq(orders.ownerId, user.id);',
    'const isOwner = undefined;',
  ),
];

/** An order reads the minimum quantity, and checks it again when it takes the stock. */
const BOTH_CHECKS_OF_MINIMUM = `where $5::int between min and available and price::bigint * $5 <= \${MAX_TOTAL}
    and $5 <= \${reservablePiecesSql('available', 'held')} and free_slot.slot is not null
), taken_stock as (
  update tools t set available_quantity = t.available_quantity - $5 from priceable
  where t.id = priceable.id and t.available_quantity >= $5 and t.minimum_order_quantity <= $5`;

const STOCK = [
  bugInPayments('deleting does not return the stock', 'releaseOrder', '  await returnStock(tx, order);\n', ''),
  bugInPayments(
    'deleting does not decrement the order count',
    'releaseOrder',
    '${orderCounts.n} - 1',
    '${orderCounts.n} - 0',
  ),
  bugInPayments('the end of a hold does not return the stock', 'endHolds', '  await returnStock(tx, order);\n', ''),
  bugInOrders('stock that is not held is returned', 'stock', '  if (!order.holdsStock) return;\n', ''),
  bugInOrders('paying after the hold takes no stock', 'stock', 'if (!(await takeStock(tx, order))) return false;', ''),
  bugInOrders(
    'an offer takes no stock',
    'offerPrice',
    'if (await takeStock(tx, order)) return;',
    'if (order.quantity > 0) return;',
  ),
  bugInOrders('an order can get two prices', 'offerPrice', "if (order.state !== 'unpriced') throw orderPriced();", ''),
  bugInOrders(
    'admin calls do not lock the order',
    'shipments',
    ".where(and(eq(orders.id, id), isNotDeleted))\n    .for('update');",
    '.where(and(eq(orders.id, id), isNotDeleted));',
  ),
  bugInOrders(
    'placing does not increment the order count',
    'placeOrderStatement',
    'set n = n + 1 from placed',
    'set n = n + 0 from placed',
  ),
  bugInOrders(
    'one customer may hold all of the stock',
    'stock',
    'greatest((${available} - ${held}) / 2, 0)',
    '${available}',
  ),
  bugInOrders(
    'the minimum quantity is ignored',
    'placeOrderStatement',
    BOTH_CHECKS_OF_MINIMUM,
    BOTH_CHECKS_OF_MINIMUM.replace('between min', 'between 1').replace(' and t.minimum_order_quantity <= $5', ''),
  ),
  bugInOrders(
    'a customer may have any number of unpaid orders',
    'placeOrderStatement',
    "and $5 <= ${reservablePiecesSql('available', 'held')} and free_slot.slot is not null",
    "and $5 <= ${reservablePiecesSql('available', 'held')}",
  ),
  bugInOrders(
    'a repeated request places a second order',
    'placeOrderStatement',
    'from placed where $2::text is not null',
    'from placed where false',
  ),
  bugInServer(
    'a repeated restock request changes the stock twice',
    'catalog/editTool',
    'if (call) await storeResponse(tx, call, edited);',
    '',
  ),
  bugInServer(
    'an edit silently overwrites another edit',
    'catalog/editTool',
    'if (changed.length === 0) return;',
    'if (changed.length >= 0) return;',
  ),
  bugInServer('an edit does not lock the tool', 'catalog/editTool', ".for('no key update')", ''),
  bugInServer(
    'restocking does not update the stocked quantity',
    'catalog/editTool',
    '      stockedQuantity: sql`${tools.stockedQuantity} + ${stockChange}`,\n',
    '',
  ),
];

const HOLDS = [
  bugInPayments(
    'holds never end',
    'endHolds',
    '${orders.holdUntil} <= ${ctx.now()}',
    '${orders.holdUntil} <= ${new Date(0)}',
  ),
  bugInPayments(
    'the end of a hold leaves the payment open',
    'endHolds',
    '{ ...claimed, attempt }',
    '{ ...claimed, attempt: undefined }',
  ),
  bugInOrders(
    'each payment extends the hold without a limit',
    'stock',
    'least(${addMs(now, PAYMENT_HOLD_MS)}, coalesce(hold_last_at, hold_until))',
    '${addMs(now, 10 * PAYMENT_HOLD_MS)}',
  ),
  bugInOrders(
    'a hold lasts for days',
    'stock',
    'const until = addMs(now, holdHours * HOUR_MS);\n  return {',
    'const until = addMs(now, 24 * holdHours * HOUR_MS);\n  return {',
  ),
];

const REFUNDS = [
  bugInPayments(
    'a payment that comes too late is not refunded',
    'checkRefunds',
    'if (!settings.refundLate) return;',
    'if (settings.refundLate) return;',
  ),
  bugInPayments('a refund does not restock', 'recordRefund', 'if (isNew && restock) await returnStock(tx, order);', ''),
  bugInOrders(
    'an order ships while it is refunded',
    'shipments',
    '> 0) throw refundInProgress();',
    '> 99) throw refundInProgress();',
  ),
  bugInPayments(
    'a requested refund is never sent again',
    'checkRefunds',
    "state === 'requested' ? sendRefund(ctx, intentId) : readAndRecordRefunds(ctx, intentId)",
    "state === 'requested' ? Promise.resolve() : readAndRecordRefunds(ctx, intentId)",
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
    "queueMailFor('payment received', 'paid_order', settings)",
    "queueMailFor('payment received', 'paid_order where false', settings)",
  ),
  bugInPayments(
    'a refund queues no email',
    'recordRefund',
    "  if (isNew) await queueMail(tx, 'refunded', order.id);\n",
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
    'placeOrderStatement',
    '$10 from placed\n)',
    '$10 from placed where false\n)',
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
