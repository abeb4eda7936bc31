import { CONTACT } from '../../contract/contact';
import { describeCard } from '../../contract/describeCard';
import type { Order } from '../../contract/entities';
import { CENTS_PER_DOLLAR } from '../../contract/limits';
import { orderNumber } from '../../contract/orderNumber';
import { formatCents, formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { describeRefund } from '../../contract/refunds';
import { SELLER } from '../../contract/seller';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { NO_EXTRA_CHARGES } from '../../contract/terms';
import { orderAgainPath } from '../../contract/orderPaths';
import { AnvilIcon } from '../../ui/AnvilIcon';
import { Button, ButtonLink } from '../../ui/Button';
import { ShippedCrate } from '../../ui/Crate';
import { DateTime } from '../../ui/DateTime';
import { EmailText } from '../../ui/EmailText';
import { Fact, TimeFact } from '../../ui/Facts';
import { WaitingBox } from '../../ui/NoticeBox';
import { MutedText, Stack } from '../../ui/page';
import { ActionRow, ProductName, OrderTotal } from './paymentStyle';
import { describePieces, totalOfOrder } from './PaymentSummary';
import { Lines, Recipient } from './Recipient';
import { Amount, Details, Heading, Paper, PrintedLine, Seller, Shipped, Stamp, WholeId } from './receiptStyle';
import { ShippingLog } from './ShippingLog';
import { TransactionId } from './TransactionId';

const RECEIPT_STATUSES = ['paid', 'shipped', 'refunded'];

/** Includes refunded orders, because their payments were recorded too. */
export const hasReceipt = ({ status }: Order) => RECEIPT_STATUSES.includes(status);

function OrderState({ _id, status }: Order) {
  if (status === 'refunded') return <Stamp $isGood={false}>Refunded</Stamp>;
  if (status === 'paid') return <Stamp $isGood>{SPEC_MESSAGES.paid}</Stamp>;
  return (
    <Shipped>
      <Stamp $isGood>Shipped</Stamp>
      <ShippedCrate orderNumber={orderNumber(_id)} />
    </Shipped>
  );
}

/** @returns a sentence about a refund or dispute of this order, or undefined */
function refundOrDisputeNote(order: Order): string | undefined {
  const total = formatDollars(totalOfOrder(order));
  if (order.refundFailed) return "Your refund didn't go through. Contact us, and include the order number.";
  if (order.refundingCents) return `We're refunding ${formatCents(order.refundingCents)} to your card.`;
  if (order.status === 'refunded') return `We refunded ${total}. Your bank may take a few days to show it.`;
  if (order.dispute === 'open') return 'This payment is disputed. Your bank is reviewing it.';
  if (order.dispute === 'lost') return `This payment was disputed, and your bank returned ${total}.`;
  if (!order.refundedCents) return undefined;
  return `We refunded ${formatCents(order.refundedCents)} of ${total}. Your bank may take a few days to show it.`;
}

const describeRest = (order: Order, refundedCents: number) =>
  `Refunded ${formatCents(refundedCents)}. You paid ${formatCents(totalOfOrder(order) * CENTS_PER_DOLLAR - refundedCents)} in all.`;

function OrderDetails({ order }: { order: Order }) {
  const { _id, client, email, reference, seller = SELLER } = order;
  const { placedAt, paidAt, refundedAt, refunds = [], card, transactionId } = order;
  return (
    <Details $labelWidth="9rem">
      <Fact label="Order number">
        {orderNumber(_id)} <WholeId>{_id}</WholeId>
      </Fact>
      {reference && <Fact label="Your reference">{reference}</Fact>}
      <TimeFact label="Ordered on" at={placedAt} />
      <TimeFact label="Paid on" at={paidAt} />
      {refunds.map((refund) => (
        <Fact key={refund.at + refund.cents} label={describeRefund(refund, order)}>
          <DateTime at={refund.at} />
          {refund.number && `\nCredit note ${refund.number}`}
        </Fact>
      ))}
      {refunds.length === 0 && <TimeFact label="Refunded on" at={refundedAt} />}
      {card && <Fact label="Paid with">{describeCard(card)}</Fact>}
      {transactionId && (
        <Fact label="Transaction ID">
          <TransactionId id={transactionId} />
        </Fact>
      )}
      <Fact label="Bill to">
        <Lines as="bdi">{client}</Lines>
        <EmailText email={email} />
      </Fact>
      <Fact label="Deliver to">
        <Recipient order={order} />
      </Fact>
      <Fact label="Sold by">
        <Lines>{seller}</Lines>
      </Fact>
    </Details>
  );
}

const PrintedTable = ({ order }: { order: Order }) => (
  <PrintedLine>
    <thead>
      <tr>
        <th>Product</th>
        <th>Quantity</th>
        <th>Price per piece</th>
        <th>Amount</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <td dir="auto">{order.productName}</td>
        <td>{formatWithCommas(order.totalQuantity)}</td>
        <td>{formatDollars(order.price ?? 0)}</td>
        <td>{formatDollars(totalOfOrder(order))}</td>
      </tr>
    </tbody>
  </PrintedLine>
);

/** The receipt of an order. It fits on one printed sheet. */
export function Receipt({ order }: { order: Order }) {
  const note = refundOrDisputeNote(order);
  const [sellerName] = (order.seller ?? SELLER).split('\n');
  return (
    <>
      <Paper as="article">
        <Stack $gap={6}>
          <Heading>
            <Seller>
              <AnvilIcon />
              {sellerName}
            </Seller>
            <OrderState {...order} />
          </Heading>
          {note && <WaitingBox role="status">{note}</WaitingBox>}
          <Amount $gap={2}>
            <ProductName dir="auto" data-print="no">
              {order.productName}
            </ProductName>
            <p data-print="no">{describePieces(order)}</p>
            <PrintedTable order={order} />
            <OrderTotal>Total $ {formatWithCommas(totalOfOrder(order))}</OrderTotal>
            {order.refundedCents ? <p>{describeRest(order, order.refundedCents)}</p> : null}
            <MutedText>{NO_EXTRA_CHARGES}</MutedText>
          </Amount>
          <OrderDetails order={order} />
          <ShippingLog order={order} />
        </Stack>
      </Paper>
      <ActionRow>
        <Button variant="quiet" onClick={() => window.print()}>
          Print
        </Button>
        <ButtonLink to={orderAgainPath(order.toolId, order.totalQuantity)} variant="quiet" data-print="no">
          Order again
        </ButtonLink>
        <ButtonLink to="/dashboard/myorder" variant="quiet" data-print="no">
          My Orders
        </ButtonLink>
        <a href={`mailto:${CONTACT.email}?subject=Order ${orderNumber(order._id)}`} data-print="no">
          Problem with this order? Email us
        </a>
      </ActionRow>
    </>
  );
}
