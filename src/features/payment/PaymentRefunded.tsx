import { useEffect, useRef } from 'react';
import { CONTACT } from '../../contract/contact';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { ButtonLink } from '../../ui/Button';
import { CopyDetails } from '../../ui/CopyDetails';
import { Card, Stack } from '../../ui/page';
import { RefundTitle, TransactionCode } from './paymentStyle';

/** Shown if the customer's money is refunded, because the order could no longer be paid. */
export function PaymentRefunded({ code }: { code: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  return (
    <Card role="alert">
      <Stack>
        <RefundTitle ref={title} tabIndex={-1}>
          {PAGE_MESSAGES.paymentRefunded}
        </RefundTitle>
        <p>
          This order could no longer be paid. If you <a href={`mailto:${CONTACT.email}`}>contact us</a>, include this
          code:
        </p>
        <p>
          <TransactionCode>{code}</TransactionCode>
          <CopyDetails code={code} />
        </p>
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </Stack>
    </Card>
  );
}
