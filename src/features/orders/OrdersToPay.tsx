import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { describeOrder } from '../../contract/describeOrder';
import { formatDollars } from '../../contract/formatWithCommas';
import { orderNumber } from '../../contract/orderNumber';
import { paymentPath } from '../../contract/orderPaths';
import { ButtonLink } from '../../ui/Button';
import { HeldUntil } from '../../ui/HeldUntil';
import { WaitingBox } from '../../ui/NoticeBox';
import { WaitingText } from '../../ui/page';
import { media } from '../../ui/theme';
import { totalOf } from './orderRules';

const PayBox = styled(WaitingBox)`
  ${media.tablet} {
    grid-template-columns: 1fr auto;
    align-items: center;
  }
`;

type PayNoticeProps = { order: Order; label: string; action: string; children: ReactNode };

function PayNotice({ order, label, action, children }: PayNoticeProps) {
  return (
    <PayBox as="section" aria-label={label} data-print="no">
      <div>
        <p>{children}</p>
        <WaitingText>
          <HeldUntil time={order.heldUntil} />
        </WaitingText>
      </div>
      <ButtonLink to={paymentPath(order._id)}>{action}</ButtonLink>
    </PayBox>
  );
}

const totalOfOrder = ({ price, totalQuantity }: Order) => formatDollars(totalOf(price ?? 0, totalQuantity));

/**
 * Leads to the payment of an order that was just placed, and of each order whose price an admin offered, until it is
 * paid or deleted.
 */
export function OrdersToPay({ orders }: { orders: readonly Order[] }) {
  const placed = (useLocation().state as { placed?: unknown } | null)?.placed;
  const unpaid = orders.filter(({ status }) => status === 'unpaid');
  const offers = unpaid.filter(({ offered }) => offered);
  const order = unpaid.find(({ _id, offered }) => _id === placed && !offered);
  return (
    <>
      {order && (
        <PayNotice order={order} label="Your new order" action={`Pay ${totalOfOrder(order)} now`}>
          Order {orderNumber(order._id)} is placed. The next step is to pay for it.
        </PayNotice>
      )}
      {offers.map((offer) => (
        <PayNotice
          key={offer._id}
          order={offer}
          label={`Our offer for order ${orderNumber(offer._id)}`}
          action={`Pay ${totalOfOrder(offer)}`}
        >
          We offer you <strong>{formatDollars(offer.price ?? 0)} each</strong> for {describeOrder(offer)}.
        </PayNotice>
      ))}
    </>
  );
}
