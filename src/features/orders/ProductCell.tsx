import { Link } from 'react-router-dom';
import styled, { css } from 'styled-components';
import type { Order } from '../../contract/entities';
import { formatDollars } from '../../contract/formatWithCommas';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { orderNumber } from '../../contract/orderNumber';
import { describeRefund } from '../../contract/refunds';
import { orderAgainPath, paymentPath } from '../../contract/orderPaths';
import { Day } from '../../ui/DateTime';
import { HeldUntil } from '../../ui/HeldUntil';
import { WaitingText } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { addressInOneLine } from './addressInOneLine';
import { totalOf } from './orderRules';
import { color, media, radius, size, space } from '../../ui/theme';

/** On a phone, only the name is beside the picture, so that an order is at most 200 px high. */
const Lines = styled.span`
  display: grid;
  grid-template-columns: 56px minmax(0, 1fr);
  column-gap: ${space(3)};
  justify-items: start;
  > * {
    grid-column: 2;
    max-width: 100%;
  }
  > :first-child {
    grid-area: 1 / 1 / span 4;
  }
  img {
    border-radius: ${radius};
  }
  ${media.phone} {
    > :nth-child(n + 3) {
      grid-column: 1 / -1;
    }
    > :first-child {
      grid-row: auto;
    }
  }
`;

/** A longer name ends with three dots. The order's page has all of it. */
const Name = styled(Link)`
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  line-height: 1.3;
`;

const MutedLine = styled.span`
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
  > a {
    min-height: 24px;
  }
  /** Lines without links are as high as those with links, so that rows without refunds have the same height. */
  ${media.tablet} {
    min-height: 24px;
  }
`;

const inOneLine = css`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Reference = styled.bdi`
  flex: 1;
  min-width: 6em;
  ${inOneLine}
`;

const AddressLine = styled(MutedLine)`
  ${inOneLine}
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
    <span>
      <Picture src={order.img ?? ''} toolName={order.productName} sizes="56px" alt="" width={56} height={42} />
    </span>
    <Name to={paymentPath(order._id)} dir="auto">
      {keepUnitsTogether(order.productName)}
    </Name>
    <SpacedLine>
      <span>{orderNumber(order._id)}</span>
      <Day at={order.placedAt} />
      {order.invoice && <span>{order.invoice}</span>}
      {order.price !== null && <span>{formatDollars(totalOf(order.price, order.totalQuantity))}</span>}
      {order.reference && <Reference title={order.reference}>{order.reference}</Reference>}
    </SpacedLine>
    <AddressLine title={order.address}>
      To <bdi>{addressInOneLine(order.address)}</bdi>
    </AddressLine>
    <SpacedLine>
      <Progress order={order} />
      {order.refunds?.map((refund) => (
        <span key={refund.at + refund.cents}>
          {describeRefund(refund, order)} on <Day at={refund.at} />
        </span>
      ))}
    </SpacedLine>
  </Lines>
);
