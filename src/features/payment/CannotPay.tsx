import type { ReactNode } from 'react';
import type { Order, Problem } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { orderAgainPath } from '../../contract/orderPaths';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, ErrorText, Stack } from '../../ui/page';
import { DeleteOrder } from './DeleteOrder';
import { OrderToPay } from './OrderToPay';
import { ActionRow, PaymentColumns } from './paymentStyle';
import { PaymentSummary } from './PaymentSummary';

type Props = { order: Order; problem: Problem };

/** Replaces the card form. Says why the order can't be paid and what the customer can do instead. */
function CannotPay({
  order,
  problem,
  orderInSummary = order,
  children,
}: Props & { orderInSummary?: Order; children: ReactNode }) {
  return (
    <PaymentColumns>
      <Card>
        <Stack $gap={6}>
          <PaymentSummary order={orderInSummary} />
          <ErrorText>{problem.detail}</ErrorText>
          <ActionRow>
            {children}
            <DeleteOrder order={order} />
          </ActionRow>
        </Stack>
      </Card>
      <OrderToPay order={order} />
    </PaymentColumns>
  );
}

export function OutOfStock({ order, problem }: Props) {
  const min = Number(problem.meta?.['min']);
  const available = Number(problem.meta?.['available']);
  return (
    <CannotPay order={order} problem={problem}>
      {available >= min && (
        <ButtonLink to={orderAgainPath(order.toolId, available)}>
          Order {formatWithCommas(available)} instead
        </ButtonLink>
      )}
    </CannotPay>
  );
}

type PriceChangedProps = Props & { price: number; onAccept: (price: number) => void };

/**
 * Shown if the tool's price has changed since the order was placed, or an offered price was corrected. The customer must
 * accept the new price before paying.
 */
export function PriceChanged({ order, problem, price, onAccept }: PriceChangedProps) {
  const canBePaid = problem.meta?.['max'] === undefined;
  return (
    <CannotPay order={order} problem={problem} orderInSummary={{ ...order, price }}>
      {canBePaid && <Button onClick={() => onAccept(price)}>Pay at {formatDollars(price)} each</Button>}
    </CannotPay>
  );
}

/** Shown if this order can be paid again later. The problem says when. */
export function PaymentPaused({ order, problem }: Props) {
  return (
    <CannotPay order={order} problem={problem}>
      <ButtonLink to="/dashboard/myorder" variant="quiet">
        My Orders
      </ButtonLink>
    </CannotPay>
  );
}
