import { Link } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { keepUnitsTogether } from '../../contract/keepUnitsTogether';
import { orderNumber } from '../../contract/orderNumber';
import { orderAgainPath, paymentPath } from '../../contract/orderPaths';
import { Day } from '../../ui/DateTime';
import { HeldUntil } from '../../ui/HeldUntil';
import { totalOf } from './orderRules';
import { color, media, size, space } from '../../ui/theme';

/** The cell has four lines for every order, so that all rows have the same height. */
const Lines = styled.span`
  display: grid;
  min-width: 0;
  ${media.tablet} {
    justify-items: start;
  }
`;

const Muted = styled.span`
  max-width: 100%;
  color: ${color.muted};
  font-size: ${size.small};
  time {
    white-space: nowrap;
  }
`;

/** Without dots between its parts, because one of them would end a line on a narrow screen. */
const Spaced = styled(Muted)`
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
const Address = styled(Muted)`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  ${media.phone} {
    white-space: normal;
  }
`;

function OrderAgain({ order }: { order: Order }) {
  return (
    <Link to={orderAgainPath(order.toolId, order.totalQuantity)} aria-label={`Order again: ${order.productName}`}>
      Order again
    </Link>
  );
}

/** Leads to the shipping log on the order's page. */
function Track({ order }: { order: Order }) {
  return (
    <Link to={paymentPath(order._id)} aria-label={`Track the package: ${order.productName}`}>
      Track the package
    </Link>
  );
}

function Progress({ order }: { order: Order }) {
  switch (order.status) {
    case 'unpriced':
      return "Can't be paid yet";
    case 'unpaid':
      return (
        <span>
          <HeldUntil time={order.heldUntil} />
        </span>
      );
    case 'refunded':
      return <OrderAgain order={order} />;
    case 'paid':
      return (
        <>
          <span>Not shipped yet</span>
          <OrderAgain order={order} />
        </>
      );
    case 'shipped':
      return (
        <>
          <span>Shipped</span>
          <Track order={order} />
          <OrderAgain order={order} />
        </>
      );
  }
}

export const ProductCell = ({ order }: { order: Order }) => (
  <Lines>
    <Link to={paymentPath(order._id)}>{keepUnitsTogether(order.productName)}</Link>
    <Spaced>
      <span>{orderNumber(order._id)}</span>
      <Day at={order.placedAt} />
      {order.price !== null && <span>${formatWithCommas(totalOf(order.price, order.totalQuantity))}</span>}
    </Spaced>
    <Address title={order.address}>
      To <bdi>{order.address}</bdi>
    </Address>
    <Spaced>
      <Progress order={order} />
    </Spaced>
  </Lines>
);
