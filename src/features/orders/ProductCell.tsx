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

const dotBefore = css`
  position: absolute;
  width: ${space(4)};
  margin-inline-start: -${space(4)};
  content: '·' / '';
  text-align: center;
`;

/**
 * Clips a dot at the start of a line, but no focus ring. Lines without links are as high as those with links, so that
 * rows without refunds have the same height.
 */
const FactLine = styled(MutedLine)`
  position: relative;
  display: flex;
  flex-wrap: wrap;
  column-gap: ${space(4)};
  min-height: 24px;
  clip-path: inset(-${space(1.5)});
  > a {
    min-height: 24px;
  }
  > *::before {
    ${dotBefore}
  }
`;

/** Cuts a long reference or address off. */
const CutLine = styled(MutedLine)`
  position: relative;
  display: flex;
  column-gap: ${space(4)};
  white-space: nowrap;
  > [title] {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  > :last-child {
    flex: 1 0 8em;
  }
  > * + *::before {
    ${dotBefore}
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
    <span>
      <Picture src={order.img ?? ''} toolName={order.productName} sizes="56px" alt="" width={56} height={42} />
    </span>
    <Name to={paymentPath(order._id)} dir="auto">
      {keepUnitsTogether(order.productName)}
    </Name>
    <FactLine>
      <span>{orderNumber(order._id)}</span>
      <Day at={order.placedAt} />
      {order.invoice && <Link to={paymentPath(order._id)}>Invoice {order.invoice}</Link>}
    </FactLine>
    <CutLine>
      {order.price !== null && <span>{formatDollars(totalOf(order.price, order.totalQuantity))}</span>}
      {order.reference && <bdi title={order.reference}>{order.reference}</bdi>}
      <span title={order.address}>
        To <bdi>{addressInOneLine(order.address)}</bdi>
      </span>
    </CutLine>
    <FactLine>
      <Progress order={order} />
      {order.refunds?.map((refund) => (
        <span key={refund.at + refund.cents}>
          {describeRefund(refund, order)} on <Day at={refund.at} />
        </span>
      ))}
    </FactLine>
  </Lines>
);
