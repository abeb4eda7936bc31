import { useConfig, type AppConfig } from '../../config';
import type { Order } from '../../contract/entities';
import { failureOf, messageOf } from '../../contract/problem';
import { Button } from '../../ui/Button';
import { SupportCode } from '../../ui/Notice';
import { Card, ErrorText, Stack } from '../../ui/page';
import { Spinner } from '../../ui/Spinner';
import { OutOfStock, PaymentPaused, PriceChanged } from './CannotPay';
import { CardForm } from './CardForm';
import { DeleteOrder } from './DeleteOrder';
import { PaymentRefunded } from './PaymentRefunded';
import { CardElements, useStripeLoader } from './stripe';
import { OrderToPay } from './OrderToPay';
import { PaymentSummary } from './PaymentSummary';
import { PaymentColumns } from './paymentStyle';
import { usePaymentSecret } from './usePayment';

const NO_CARD_FORM = "The card form didn't load. Check your connection and try again.";
const SANDBOX_HINT = "Test mode: you won't be charged. Use card 4242\u00a04242\u00a04242\u00a04242.";
const TEST_KEYS_HINT = "Test mode: you won't be charged.";

const PAUSES = ['too_many_declines', 'hold_limit'];

const hintOf = ({ kind, testMode }: AppConfig['payments']) =>
  kind === 'sandbox' ? SANDBOX_HINT : testMode ? TEST_KEYS_HINT : undefined;

type RetryNoticeProps = { sentence: string; error?: unknown; onRetry: () => void };

function RetryNotice({ sentence, error, onRetry }: RetryNoticeProps) {
  return (
    <Stack>
      <ErrorText>{sentence}</ErrorText>
      <SupportCode error={error} />
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  );
}

export function PayByCard({ order, onPaid }: { order: Order; onPaid: (transactionId: string) => void }) {
  const { payments } = useConfig();
  const { stripe, failed, tryAgain } = useStripeLoader(payments);
  const { secret, error, isLoading, newPrice, retry, acceptPrice, ...accepted } = usePaymentSecret(order);
  const { hasAcceptedPrice, orderAtPrice } = accepted;
  const { problem } = failureOf(error);
  const isPreparing = isLoading || (!stripe && !failed);

  if (problem?.code === 'out_of_stock') return <OutOfStock order={order} problem={problem} />;
  if (problem?.code === 'payment_returned') return <PaymentRefunded code={String(problem.meta?.['code'] ?? '')} />;
  if (problem && newPrice) return <PriceChanged {...{ order, problem }} price={newPrice} onAccept={acceptPrice} />;
  if (problem && PAUSES.includes(problem.code)) return <PaymentPaused order={order} problem={problem} />;
  return (
    <PaymentColumns>
      <Stack $gap={6}>
        <Card>
          <Stack $gap={6}>
            <PaymentSummary order={orderAtPrice} />
            <CardElements stripe={stripe}>
              <CardForm
                order={order}
                secret={secret}
                hint={hintOf(payments)}
                focusWhenReady={hasAcceptedPrice}
                onPaid={onPaid}
                onStale={retry}
              />
            </CardElements>
            {isPreparing && <Spinner label="Preparing the payment" />}
            {Boolean(error) && !isLoading && <RetryNotice sentence={messageOf(error)} error={error} onRetry={retry} />}
            {failed && <RetryNotice sentence={NO_CARD_FORM} onRetry={tryAgain} />}
          </Stack>
        </Card>
        <DeleteOrder order={order} />
      </Stack>
      <OrderToPay order={order} />
    </PaymentColumns>
  );
}
