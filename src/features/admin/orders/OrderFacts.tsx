import type { Order, ShippingEntry } from '../../../contract/entities';
import { formatDollars, formatWithCommas } from '../../../contract/formatWithCommas';
import { orderNumber } from '../../../contract/orderNumber';
import { describeOrder } from '../../../contract/describeOrder';
import { describeRefund } from '../../../contract/refunds';
import { trackingLinkOf } from '../../../contract/trackingLink';
import { DateTime } from '../../../ui/DateTime';
import { EmailText } from '../../../ui/EmailText';
import { Fact, Facts, TimeFact } from '../../../ui/Facts';
import { customerNameOf, ORDER_MESSAGES, formatOrderTotal } from './orderMessages';

function Entry({ entry }: { entry: ShippingEntry }) {
  const { at, carrier, tracking, note } = entry;
  const href = trackingLinkOf(entry);
  return (
    <>
      <DateTime at={at} />
      {'\n'}
      {carrier}, {href ? <a href={href}>{tracking}</a> : tracking}
      {note && `\n${note}`}
    </>
  );
}

/** @returns sentences for the admin about a dispute or a refund of the payment */
function paymentSentences({ dispute, refundRequested, refundFailed }: Order): string[] {
  const disputes = {
    open: ORDER_MESSAGES.disputeOpen,
    won: ORDER_MESSAGES.disputeWon,
    lost: ORDER_MESSAGES.disputeLost,
  };
  return [
    ...(refundRequested ? [ORDER_MESSAGES.refundRequested] : []),
    ...(refundFailed ? [ORDER_MESSAGES.refundFailed] : []),
    ...(dispute ? [disputes[dispute]] : []),
  ];
}

function Payment({ order }: { order: Order }) {
  const { paidAt, heldUntil, invoice, refunds = [], refundedAt, refundReason, transactionId, price, status } = order;
  return (
    <>
      {price !== null && (
        <Fact label="Total">
          {formatOrderTotal(order)} ({formatWithCommas(order.totalQuantity)} × {formatDollars(price)})
        </Fact>
      )}
      <TimeFact label="Paid" at={paidAt} />
      {status === 'unpaid' && (
        <Fact label="Stock">
          {heldUntil ? (
            <>
              Reserved until <DateTime at={heldUntil} />
            </>
          ) : (
            'Not reserved anymore'
          )}
        </Fact>
      )}
      {invoice && <Fact label="Invoice">{invoice}</Fact>}
      {transactionId && (
        <Fact label="Transaction">
          <code>{transactionId}</code>
        </Fact>
      )}
      {refunds.map((refund) => (
        <Fact key={refund.at + refund.cents} label={describeRefund(refund, order)}>
          <DateTime at={refund.at} />
          {refund.number && `\nCredit note ${refund.number}`}
          {'\n'}
          <span>{refund.reason}</span>
        </Fact>
      ))}
      {refunds.length === 0 && <TimeFact label="Refunded" at={refundedAt} />}
      {(order.refundRequested || order.refundFailed) && refundReason && (
        <Fact label="Refund reason">{refundReason}</Fact>
      )}
      {paymentSentences(order).map((sentence) => (
        <Fact key={sentence} label="Payment">
          {sentence}
        </Fact>
      ))}
    </>
  );
}

export function OrderFacts({ order }: { order: Order }) {
  const log = order.shippingLog ?? [];
  return (
    <Facts $labelWidth="7rem">
      <Fact label="Deliver to">
        {customerNameOf(order)}
        {'\n'}
        {order.address}
      </Fact>
      <Fact label="Phone">
        {/\d/.test(order.phone) ? (
          <a href={`tel:${order.phone.replaceAll(/[^\d+]/g, '')}`}>{order.phone}</a>
        ) : (
          order.phone
        )}
      </Fact>
      <Fact label="Email">
        <a href={`mailto:${encodeURIComponent(order.email)}`}>
          <EmailText email={order.email} />
        </a>
      </Fact>
      {order.reference && <Fact label="Reference">{order.reference}</Fact>}
      <Fact label="Product">{describeOrder(order)}</Fact>
      <TimeFact label="Ordered" at={order.placedAt} />
      <Payment order={order} />
      {log.map((entry) => (
        <Fact key={entry.at} label="Shipped">
          <Entry entry={entry} />
        </Fact>
      ))}
      <Fact label="Order number">
        {orderNumber(order._id)}
        {'\n'}
        <code>{order._id}</code>
      </Fact>
    </Facts>
  );
}
