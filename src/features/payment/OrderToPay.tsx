import { useGetToolQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { orderNumber } from '../../contract/orderNumber';
import { Fact, Facts } from '../../ui/Facts';
import { HeldUntil } from '../../ui/HeldUntil';
import { Card, VisuallyHidden, WaitingText } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { Recipient } from './Recipient';
import { OrderCard, PictureBox } from './paymentStyle';

/** Shows the product's picture, the order number, the delivery address and the end of the hold. */
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
        <Facts>
          <Fact label="Order number">{orderNumber(order._id)}</Fact>
          <Fact label="Deliver to">
            <Recipient order={order} />
          </Fact>
          <Fact label="Reserved stock">
            <WaitingText>
              <HeldUntil time={order.heldUntil} />
            </WaitingText>
          </Fact>
        </Facts>
      </OrderCard>
    </Card>
  );
}
