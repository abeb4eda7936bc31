import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { PlacedOrder } from '../../contract/entities';
import { orderNumber } from '../../contract/orderNumber';
import { createUnpricedNotice } from '../../contract/unpricedNotice';
import { WaitingBox } from '../../ui/NoticeBox';

/**
 * Replaces the rest of the form after an order was placed without a price, so that it can't be placed twice. Takes the
 * focus, because the button that had it is gone.
 */
export function SavedRequest({ order }: { order: PlacedOrder }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <WaitingBox>
      <h2 ref={title} tabIndex={-1}>
        We saved your request {orderNumber(order._id)}
      </h2>
      <p>{createUnpricedNotice(order.unpriced, order.totalQuantity)}</p>
      <p>
        We&apos;ll look at it and may offer you a price in <Link to="/dashboard/myorder">My Orders</Link>, where you can
        also delete it. To order something you can pay for now, change the quantity.
      </p>
    </WaitingBox>
  );
}
