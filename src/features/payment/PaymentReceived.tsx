import { useEffect, useRef } from 'react';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button, ButtonLink } from '../../ui/Button';
import { Stack } from '../../ui/page';
import { PaidTitle, TransactionCode } from './paymentStyle';
import { hasReceipt, Receipt } from './Receipt';
import type { PaymentRecord } from './usePayment';

/**
 * Shown while the payment has succeeded but the server has not recorded it. Even if this page cannot report the
 * payment, the webhook or the sweep will make the server record it.
 */
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

/**
 * Shown right after the payment. Once the server has recorded the payment, the receipt replaces the transaction ID here.
 * That is usually at once, so only the receipt has the button that copies it.
 */
export function PaymentReceived({ order, record }: { order: Order; record: PaymentRecord }) {
  const title = useRef<HTMLHeadingElement>(null);
  const transactionId = record.transactionId ?? order.transactionId;
  const isRecorded = hasReceipt(order);
  useEffect(() => title.current?.focus(), []);

  return (
    <>
      <Stack data-print="no">
        <Stack role="status">
          <PaidTitle ref={title} tabIndex={-1}>
            {SPEC_MESSAGES.paymentCompleted}
          </PaidTitle>
          {!isRecorded && transactionId && (
            <Stack $gap={1}>
              <span>Your transaction ID</span>
              <TransactionCode>{transactionId}</TransactionCode>
            </Stack>
          )}
        </Stack>
        {!isRecorded && <PendingRecord {...record} />}
      </Stack>
      {isRecorded ? (
        <Receipt order={order} />
      ) : (
        <div>
          <ButtonLink to="/dashboard/myorder" variant="quiet">
            My Orders
          </ButtonLink>
        </div>
      )}
    </>
  );
}
