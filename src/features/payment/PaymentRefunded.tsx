import { useEffect, useRef } from 'react';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { ButtonLink } from '../../ui/Button';
import { Card, Stack } from '../../ui/page';
import { ReturnedTitle, Transaction } from './paymentStyle';

/** Money came for an order that could no longer take it. */
export function PaymentRefunded({ code }: { code: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  return (
    <Card role="alert">
      <Stack>
        <ReturnedTitle ref={title} tabIndex={-1}>
          {PAGE_MESSAGES.paymentReturned}
        </ReturnedTitle>
        <p>This order could no longer take it. If you write to us, name this code:</p>
        <p>
          <Transaction>{code}</Transaction>
        </p>
        <ButtonLink to="/dashboard/myorder" variant="quiet">
          My Orders
        </ButtonLink>
      </Stack>
    </Card>
  );
}
