import { useLocation } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { formatDollars } from '../../contract/formatWithCommas';
import { orderNumber } from '../../contract/orderNumber';
import { paymentPath } from '../../contract/orderPaths';
import { ButtonLink } from '../../ui/Button';
import { HeldUntil } from '../../ui/HeldUntil';
import { WaitingText } from '../../ui/page';
import { color, space } from '../../ui/theme';
import { totalOf } from './orderRules';

const Box = styled.section`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(3)} ${space(6)};
  padding: ${space(4)};
  border-inline-start: 3px solid ${color.amber};
  background: ${color.amberSoft};
  @media print {
    display: none;
  }
`;

/** After an order was placed, leads to its payment until it is paid or deleted. */
export function PlacedOrderNotice({ orders }: { orders: readonly Order[] }) {
  const placed = (useLocation().state as { placed?: unknown } | null)?.placed;
  const order = orders.find(({ _id, status }) => _id === placed && status === 'unpaid');
  if (!order || order.price === null) return null;
  return (
    <Box aria-label="Your new order">
      <div>
        <p>Order {orderNumber(order._id)} is placed. The next step is to pay for it.</p>
        <WaitingText>
          <HeldUntil time={order.heldUntil} />
        </WaitingText>
      </div>
      <ButtonLink to={paymentPath(order._id)}>
        Pay {formatDollars(totalOf(order.price, order.totalQuantity))} now
      </ButtonLink>
    </Box>
  );
}
