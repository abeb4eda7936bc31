import type { ReactNode } from 'react';
import { CONTACT } from '../../contract/contact';
import type { Order } from '../../contract/entities';
import { orderCode } from '../../contract/orderCode';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { SHOP_NAME } from '../../contract/shopName';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { orderAgainPath } from '../../contract/orderPaths';
import { Button, ButtonLink } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { Stack } from '../../ui/page';
import { Actions, Product, Total } from './paymentStyle';
import { describePieces, totalOf } from './PaymentSummary';
import { Badge, Details, Heading, Lines, Paper, RefundNote, Seller, WholeId } from './receiptStyle';
import { ShippingLog } from './ShippingLog';
import { TransactionId } from './TransactionId';

const RECEIPT_STATUSES = ['paid', 'shipped', 'refunded'];

/** Whether the payment of this order is recorded, also when it was refunded later. */
export const hasReceipt = ({ status }: Order) => RECEIPT_STATUSES.includes(status);

function OrderState({ status }: Order) {
  if (status === 'refunded') return <Badge $isGood={false}>Refunded</Badge>;
  return <Badge $isGood>{status === 'shipped' ? 'Shipped' : SPEC_MESSAGES.paid}</Badge>;
}

/** @returns what became of the money, if it did not simply stay with the shop */
function refundNote(order: Order): string | undefined {
  const total = `$${formatWithCommas(totalOf(order))}`;
  if (order.refundFailed) return `Your refund of ${total} didn't go through. Contact us, and include the order number.`;
  if (order.status === 'refunded')
    return `We refunded ${total} to your card. Your bank may take a few days to show it.`;
  if (order.refundRequested) return `We're refunding ${total} to your card.`;
  if (order.dispute === 'open') return 'This payment is disputed. Your bank is reviewing it.';
  return order.dispute === 'lost' ? `This payment was disputed, and your bank returned ${total}.` : undefined;
}

const Detail = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

function OrderDetails({ order }: { order: Order }) {
  const { _id, placedAt, paidAt, transactionId, client, address, phone } = order;
  return (
    <Details>
      <Detail label="Order number">
        {orderCode(_id)} <WholeId>{_id}</WholeId>
      </Detail>
      <Detail label="Ordered on">
        <DateTime at={placedAt} />
      </Detail>
      {paidAt && (
        <Detail label="Paid on">
          <DateTime at={paidAt} />
        </Detail>
      )}
      {transactionId && (
        <Detail label="Transaction id">
          <TransactionId id={transactionId} />
        </Detail>
      )}
      <Detail label="Deliver to">
        <Lines as="bdi">{client}</Lines>
        <Lines as="bdi">{address}</Lines>
        <Lines as="bdi">{phone}</Lines>
      </Detail>
      <Detail label="Sold by">
        <Lines>{[SHOP_NAME, CONTACT.street, CONTACT.town].join('\n')}</Lines>
        <a href={`mailto:${CONTACT.email}`}>{CONTACT.email}</a>
        <Lines>{CONTACT.phone}</Lines>
      </Detail>
    </Details>
  );
}

/** The page of an order whose payment is recorded. It prints on one sheet. */
export function Receipt({ order }: { order: Order }) {
  const note = refundNote(order);
  return (
    <>
      <Paper as="article">
        <Stack $gap={6}>
          <Heading>
            <Seller>{SHOP_NAME}</Seller>
            <OrderState {...order} />
          </Heading>
          {note && <RefundNote role="status">{note}</RefundNote>}
          <Stack $gap={2}>
            <Product dir="auto">{order.productName}</Product>
            <p>{describePieces(order)}</p>
            <Total>Total $ {totalOf(order)}</Total>
          </Stack>
          <OrderDetails order={order} />
          <ShippingLog order={order} />
        </Stack>
      </Paper>
      <Actions>
        <Button variant="quiet" onClick={() => window.print()}>
          Print
        </Button>
        <ButtonLink to={orderAgainPath(order.toolId, order.totalQuantity)} variant="quiet" data-print="no">
          Order again
        </ButtonLink>
        <ButtonLink to="/dashboard/myorder" variant="quiet" data-print="no">
          My Orders
        </ButtonLink>
      </Actions>
    </>
  );
}
