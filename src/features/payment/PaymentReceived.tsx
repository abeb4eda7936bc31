import { useEffect, useRef, useState } from 'react';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, GoodText, Stack } from '../../ui/page';
import { Actions, DoneTitle, Transaction } from './paymentStyle';
import { PaymentSummary } from './PaymentSummary';
import type { PaymentRecord } from './usePayment';

/** A page that is not on https has no clipboard at all. */
async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Select it and copy';
  }
}

function Copy({ text }: { text: string }) {
  const [said, setSaid] = useState('Copy');
  return (
    <Button variant="quiet" onClick={() => void copy(text).then(setSaid)}>
      <span aria-live="polite">{said}</span>
    </Button>
  );
}

/** The money is there, whatever becomes of telling the server: that, too, happens without this page. */
function Recording({ isTelling, tellAgain }: PaymentRecord) {
  if (isTelling) return <p role="status">Recording your payment…</p>;
  return (
    <div role="alert">
      <Stack>
        <p>
          Your payment went through and is being recorded. You need not pay again, and you may leave this page: your
          order will show as paid.
        </p>
        <Button variant="quiet" onClick={tellAgain}>
          Record it now
        </Button>
      </Stack>
    </div>
  );
}

export function PaymentReceived({ order, record }: { order: Order; record: PaymentRecord }) {
  const title = useRef<HTMLHeadingElement>(null);
  const justNow = record.transactionId !== undefined;
  const transactionId = record.transactionId ?? order.transactionId;
  useEffect(() => {
    if (justNow) title.current?.focus();
  }, [justNow]);

  return (
    <Card>
      <Stack $gap={6}>
        <Stack role="status">
          <DoneTitle ref={title} tabIndex={-1}>
            {SPEC_MESSAGES.paymentDone}
          </DoneTitle>
          {transactionId && (
            <Stack $gap={1}>
              <span>Your transaction id</span>
              <Actions>
                <Transaction>{transactionId}</Transaction>
                <Copy text={transactionId} />
              </Actions>
            </Stack>
          )}
        </Stack>
        {order.paid ? <GoodText>{SPEC_MESSAGES.paid}</GoodText> : <Recording {...record} />}
        <PaymentSummary order={order} />
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </Stack>
    </Card>
  );
}
