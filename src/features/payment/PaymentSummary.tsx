import type { Order } from '../../contract/entities';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { MutedText, Stack } from '../../ui/page';
import { Label, Product, Total } from './paymentStyle';

export const totalOfOrder = ({ price, totalQuantity }: Order) => (price ?? 0) * totalQuantity;

export function describePieces({ price, totalQuantity }: Order): string {
  const unitPrice = `$${formatWithCommas(price ?? 0)}`;
  return totalQuantity === 1
    ? `1 piece at ${unitPrice}`
    : `${formatWithCommas(totalQuantity)} pieces at ${unitPrice} each`;
}

export function PaymentSummary({ order }: { order: Order }) {
  return (
    <Stack $gap={2}>
      <Label>{SPEC_MESSAGES.payingFor}</Label>
      <Product>{order.productName}</Product>
      <MutedText>{SPEC_MESSAGES.shippedLog}</MutedText>
      <Total>Total $ {totalOfOrder(order)}</Total>
      <MutedText>{describePieces(order)}</MutedText>
    </Stack>
  );
}
