import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Muted, Stack } from '../../ui/page';
import { Delivery, Label, Product, Total } from './paymentStyle';

export const totalOf = ({ price, totalQuantity }: Order) => (price ?? 0) * totalQuantity;

const piecesOf = ({ price, totalQuantity }: Order) =>
  totalQuantity === 1 ? `1 piece at $ ${price}` : `${totalQuantity} pieces at $ ${price} each`;

export function PaymentSummary({ order }: { order: Order }) {
  return (
    <Stack $gap={2}>
      <Label>{SPEC_MESSAGES.payingFor}</Label>
      <Product>{order.productName}</Product>
      <Muted>{SPEC_MESSAGES.shippedLog}</Muted>
      <Total>Total $ {totalOf(order)}</Total>
      <Muted>{piecesOf(order)}</Muted>
      <Delivery>
        Deliver to: <bdi>{order.address}</bdi>
      </Delivery>
    </Stack>
  );
}
