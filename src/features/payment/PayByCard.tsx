import { useConfig } from '../../app/config';
import type { Order } from '../../contract/entities';
import { codeOf, failureOf, messageOf } from '../../contract/problem';
import { Button } from '../../ui/Button';
import { Card, ErrorText, Muted, Stack } from '../../ui/page';
import { Spinner } from '../../ui/Spinner';
import { CardForm } from './CardForm';
import { DeleteOrder } from './DeleteOrder';
import { OutOfStock } from './OutOfStock';
import { Returned } from './Returned';
import { CardSurroundings, useProvider } from './stripe';
import { Summary, totalOf } from './Summary';
import { useSecret } from './useSecret';

const NO_CARD_FORM = 'The card form did not load. Check your connection and try again.';
const SANDBOX = 'A sandbox: no money moves. The card 4242\u00a04242\u00a04242\u00a04242 pays.';
const SHORT = 8;

function NotNow({ sentence, code, onRetry }: { sentence: string; code?: string; onRetry: () => void }) {
  return (
    <Stack>
      <ErrorText>{sentence}</ErrorText>
      {code && <Muted>If it stays, write to us with the code {code.slice(-SHORT)}.</Muted>}
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  );
}

export function PayByCard({ order, onPaid }: { order: Order; onPaid: (transactionId: string) => void }) {
  const { payments } = useConfig();
  const { stripe, failed, tryAgain } = useProvider(payments);
  const { secret, error, isAsking, askAgain } = useSecret(order._id, totalOf(order));
  const { problem } = failureOf(error);

  if (problem?.code === 'out_of_stock') return <OutOfStock order={order} problem={problem} />;
  if (problem?.code === 'payment_returned') return <Returned code={String(problem.meta?.['code'] ?? '')} />;
  return (
    <>
      <Card>
        <Stack $gap={6}>
          <Summary order={order} />
          <CardSurroundings stripe={stripe}>
            <CardForm
              order={order}
              secret={secret}
              hint={payments.kind === 'sandbox' ? SANDBOX : undefined}
              onPaid={onPaid}
              onStale={askAgain}
            />
          </CardSurroundings>
          {isAsking && <Spinner label="Preparing the payment" />}
          {Boolean(error) && !isAsking && (
            <NotNow sentence={messageOf(error)} code={codeOf(error)} onRetry={askAgain} />
          )}
          {failed && <NotNow sentence={NO_CARD_FORM} onRetry={tryAgain} />}
        </Stack>
      </Card>
      <DeleteOrder order={order} />
    </>
  );
}
