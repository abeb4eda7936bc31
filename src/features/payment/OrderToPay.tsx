import { useGetToolQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { orderCode } from '../../contract/orderCode';
import { HeldUntil } from '../../ui/HeldUntil';
import { Card, VisuallyHidden } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { Fact, OrderCard, PictureBox } from './paymentStyle';

/** What the customer pays for, where it goes and how long it is held: beside the card form. */
export function OrderToPay({ order }: { order: Order }) {
  const { data: tool, isError } = useGetToolQuery(order.toolId);
  const src = tool?.img ?? (isError ? '' : undefined);
  return (
    <Card as="section" aria-label="Your order">
      <VisuallyHidden as="h2">Your order</VisuallyHidden>
      <OrderCard>
        <PictureBox>
          {src !== undefined && (
            <Picture src={src} toolName={order.productName} alt="" width={400} height={300} sizes="320px" eager />
          )}
        </PictureBox>
        <dl>
          <Fact>
            <dt>Order number</dt>
            <dd>{orderCode(order._id)}</dd>
          </Fact>
          <Fact>
            <dt>Deliver to</dt>
            <dd>
              <bdi>{order.client}</bdi>
              <bdi>{order.address}</bdi>
              <bdi>{order.phone}</bdi>
            </dd>
          </Fact>
          <Fact>
            <dt>Stock</dt>
            <dd>
              <HeldUntil time={order.heldUntil} />
            </dd>
          </Fact>
        </dl>
      </OrderCard>
    </Card>
  );
}
