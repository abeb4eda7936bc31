import { WORDS } from '../../contract/messages';
import { ButtonLink } from '../../ui/Button';
import { Card, Stack } from '../../ui/page';
import { DoneTitle, Transaction } from './paymentStyle';

/** Money came for an order that could no longer take it. */
export function Returned({ code }: { code: string }) {
  return (
    <Card role="alert">
      <Stack>
        <DoneTitle>{WORDS.paymentReturned}</DoneTitle>
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
