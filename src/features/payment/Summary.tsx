import type { Order } from '../../contract/entities';
import { MESSAGES } from '../../contract/messages';
import { Muted, Stack } from '../../ui/page';
import { Label, Product, Total } from './paymentStyle';

export const totalOf = ({ price, totalQuantity }: Order) => (price ?? 0) * totalQuantity;

export function Summary({ order }: { order: Order }) {
  return (
    <Stack $gap={2}>
      <Label>{MESSAGES.payingFor}</Label>
      <Product>{order.productName}</Product>
      <Muted>{MESSAGES.shippedLog}</Muted>
      <Total>Total $ {totalOf(order)}</Total>
      <Muted>
        {order.totalQuantity} pieces at $ {order.price} each
      </Muted>
    </Stack>
  );
}
