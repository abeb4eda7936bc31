import { useEffect, useRef, useState } from 'react';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, GoodText, Stack } from '../../ui/page';
import { Actions, DoneTitle, Transaction } from './paymentStyle';
import { PaymentSummary } from './PaymentSummary';
import type { PaymentRecord } from './usePayment';

/** A page without https has no clipboard. */
async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Select the ID and copy it';
  }
}

function Copy({ text }: { text: string }) {
  const [label, setLabel] = useState('Copy');
  return (
    <Button variant="quiet" onClick={() => void copy(text).then(setLabel)}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
}

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

export function PaymentReceived({ order, record }: { order: Order; record: PaymentRecord }) {
  const title = useRef<HTMLHeadingElement>(null);
  const isNew = record.transactionId !== undefined;
  const transactionId = record.transactionId ?? order.transactionId;
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);

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
              <Actions>
                <Transaction>{transactionId}</Transaction>
                <Copy text={transactionId} />
              </Actions>
            </Stack>
          )}
        </Stack>
        {order.paid ? <GoodText>{SPEC_MESSAGES.paid}</GoodText> : <PendingRecord {...record} />}
        <PaymentSummary order={order} />
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </Stack>
    </Card>
  );
}
