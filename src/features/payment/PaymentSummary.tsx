import { useConfig } from '../../config';
import type { Order } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { describeShipping, NO_EXTRA_CHARGES } from '../../contract/terms';
import { MutedText, Stack } from '../../ui/page';
import { SummaryLabel, ProductName, OrderTotal } from './paymentStyle';

export const totalOfOrder = ({ price, totalQuantity }: Order) => (price ?? 0) * totalQuantity;

export function describePieces({ price, totalQuantity }: Order): string {
  const unitPrice = formatDollars(price ?? 0);
  return totalQuantity === 1
    ? `1 piece at ${unitPrice}`
    : `${formatWithCommas(totalQuantity)} pieces at ${unitPrice} each`;
}

export function PaymentSummary({ order }: { order: Order }) {
  const { shipWithinDays } = useConfig();
  return (
    <Stack $gap={2}>
      <SummaryLabel>{SPEC_MESSAGES.payingFor}</SummaryLabel>
      <ProductName dir="auto">{order.productName}</ProductName>
      <MutedText>{SPEC_MESSAGES.shippedLog}</MutedText>
      <OrderTotal>Total $ {formatWithCommas(totalOfOrder(order))}</OrderTotal>
      {order.reference && (
        <MutedText>
          Your reference: <bdi>{order.reference}</bdi>
        </MutedText>
      )}
      <MutedText>
        {describePieces(order)}. {NO_EXTRA_CHARGES} {describeShipping(shipWithinDays)}.
      </MutedText>
    </Stack>
  );
}
