import { Link } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { formatDollars } from '../../contract/formatWithCommas';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { orderNumber } from '../../contract/orderNumber';
import { describeRefund } from '../../contract/refunds';
import { orderAgainPath, paymentPath } from '../../contract/orderPaths';
import { Day } from '../../ui/DateTime';
import { HeldUntil } from '../../ui/HeldUntil';
import { WaitingText } from '../../ui/page';
import { addressInOneLine } from './addressInOneLine';
import { totalOf } from './orderRules';
import { color, media, size, space } from '../../ui/theme';

/** The cell has four lines for every order without refunds, so that all these rows have the same height. */
const Lines = styled.span`
  display: grid;
  min-width: 0;
  ${media.tablet} {
    justify-items: start;
  }
`;

const MutedLine = styled.span`
  max-width: 100%;
  color: ${color.muted};
  font-size: ${size.small};
  time {
    white-space: nowrap;
  }
`;

/** Without dots between its parts, because one of them would end a line on a narrow screen. */
const SpacedLine = styled(MutedLine)`
  display: flex;
  flex-wrap: wrap;
  column-gap: ${space(3)};
  &,
  > a {
    min-height: 24px;
  }
  ${media.phone} {
    justify-content: flex-end;
  }
`;

/** On a phone each order is a card, so its address can have more lines. */
const AddressLine = styled(MutedLine)`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  ${media.phone} {
    white-space: normal;
  }
`;

function OrderAgainLink({ order }: { order: Order }) {
  return (
    <Link to={orderAgainPath(order.toolId, order.totalQuantity)} aria-label={`Order again: ${order.productName}`}>
      Order again
    </Link>
  );
}

/** Leads to the shipping log on the order's page. */
function TrackingLink({ order }: { order: Order }) {
  return (
    <Link to={paymentPath(order._id)} aria-label={`Track the package: ${order.productName}`}>
      Track the package
    </Link>
  );
}

function Progress({ order }: { order: Order }) {
  switch (order.status) {
    case 'unpriced':
      return <WaitingText>We&apos;re pricing this</WaitingText>;
    case 'unpaid':
      return (
        <WaitingText>
          <HeldUntil time={order.heldUntil} />
        </WaitingText>
      );
    case 'refunded':
      return <OrderAgainLink order={order} />;
    case 'paid':
      return (
        <>
          <WaitingText>Not shipped yet</WaitingText>
          <OrderAgainLink order={order} />
        </>
      );
    case 'shipped':
      return (
        <>
          <span>Shipped</span>
          <TrackingLink order={order} />
          <OrderAgainLink order={order} />
        </>
      );
  }
}

export const ProductCell = ({ order }: { order: Order }) => (
  <Lines>
    <Link to={paymentPath(order._id)}>{keepUnitsTogether(order.productName)}</Link>
    <SpacedLine>
      <span>{orderNumber(order._id)}</span>
      <Day at={order.placedAt} />
      {order.invoice && <span>{order.invoice}</span>}
      {order.reference && <bdi>{order.reference}</bdi>}
      {order.price !== null && <span>{formatDollars(totalOf(order.price, order.totalQuantity))}</span>}
    </SpacedLine>
    <AddressLine title={order.address}>
      To <bdi>{addressInOneLine(order.address)}</bdi>
    </AddressLine>
    <SpacedLine>
      <Progress order={order} />
    </SpacedLine>
    {order.refunds?.map((refund) => (
      <MutedLine key={refund.at + refund.cents}>
        {describeRefund(refund, order)} on <Day at={refund.at} />
      </MutedLine>
    ))}
  </Lines>
);
