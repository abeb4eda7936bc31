import { useEffect, useRef } from 'react';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, GoodText, Stack } from '../../ui/page';
import { DoneTitle } from './paymentStyle';
import { PaymentSummary } from './PaymentSummary';
import { ShippingLog } from './ShippingLog';
import { TransactionId } from './TransactionId';
import type { PaymentRecord } from './usePayment';

/** The payment has succeeded. The server also records it without this page, by webhook or sweep. */
function PendingRecord({ isSending, retry }: PaymentRecord) {
  if (isSending) return <p role="status">Updating your order…</p>;
  return (
    <div role="alert">
      <Stack>
        <p>Your payment went through. We're still updating your order, and you can leave this page. Don't pay again.</p>
        <Button variant="quiet" onClick={retry}>
          Update now
        </Button>
      </Stack>
    </div>
  );
}

/** Right after the payment. Later visits show the receipt. */
export function PaymentReceived({ order, record }: { order: Order; record: PaymentRecord }) {
  const title = useRef<HTMLHeadingElement>(null);
  const transactionId = record.transactionId ?? order.transactionId;
  useEffect(() => title.current?.focus(), []);

  return (
    <Card>
      <Stack $gap={6}>
        <Stack role="status">
          <DoneTitle ref={title} tabIndex={-1}>
            {SPEC_MESSAGES.paymentCompleted}
          </DoneTitle>
          {transactionId && (
            <Stack $gap={1}>
              <span>Your transaction ID</span>
              <TransactionId id={transactionId} />
            </Stack>
          )}
        </Stack>
        {order.paid ? <GoodText>{SPEC_MESSAGES.paid}</GoodText> : <PendingRecord {...record} />}
        <PaymentSummary order={order} />
        <ShippingLog order={order} />
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </Stack>
    </Card>
  );
}
