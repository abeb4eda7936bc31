import type { Order } from '../../contract/entities';
import { MESSAGES } from '../../contract/messages';
import { Muted, Stack } from '../../ui/page';
import { Delivery, Label, Product, Total } from './paymentStyle';

export const totalOf = ({ price, totalQuantity }: Order) => (price ?? 0) * totalQuantity;

const piecesOf = ({ price, totalQuantity }: Order) =>
  totalQuantity === 1 ? `1 piece at $ ${price}` : `${totalQuantity} pieces at $ ${price} each`;

export function Summary({ order }: { order: Order }) {
  return (
    <Stack $gap={2}>
      <Label>{MESSAGES.payingFor}</Label>
      <Product>{order.productName}</Product>
      <Muted>{MESSAGES.shippedLog}</Muted>
      <Total>Total $ {totalOf(order)}</Total>
      <Muted>{piecesOf(order)}</Muted>
      <Delivery>
        Deliver to: <bdi>{order.address}</bdi>
      </Delivery>
    </Stack>
  );
}
