import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useDispatch } from 'react-redux';
import { paymentConfirmed, paymentFailed, paymentStarted } from '../../api/events';
import type { Order } from '../../contract/entities';
import { MAX_DECLINES } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button } from '../../ui/Button';
import { Hint } from '../../ui/fieldStyle';
import { ErrorText, Stack } from '../../ui/page';
import { useCardStyle } from './useCardStyle';
import { CardBox, CardLabel } from './paymentStyle';
import { CardElement, intentIdOf, useCardPayment } from './stripe';
import { pendingPayments } from './usePayment';

type CardFormProps = {
  order: Order;
  secret: string | undefined;
  hint: string | undefined;
  /** Whether the PAY button takes the focus, because the customer has just pressed a button that this form replaced. */
  focusWhenReady: boolean;
  onPaid: (transactionId: string) => void;
  /** Called if this payment may accept no more cards, so that the page requests a payment again. */
  onStale: () => void;
};

/**
 * The page counts only its own declined cards, and the server counts all. So the page asks the server whether the limit
 * is reached before the customer enters another card.
 */
const mayHaveReachedDeclineLimit = (declines: number) => declines >= MAX_DECLINES;

export function CardForm({ order, secret, hint, focusWhenReady, onPaid, onStale }: CardFormProps) {
  const { pay, ready, onReady } = useCardPayment();
  const dispatch = useDispatch();
  const style = useCardStyle();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const busy = useRef(false);
  const shouldFocusButton = useRef(focusWhenReady);
  const declines = useRef(0);
  const [working, setWorking] = useState(false);
  const [error, setError] = useState('');
  const canPay = Boolean(secret) && ready && !working;

  /** A disabled button loses the focus, so it gets the focus back when it is enabled again. */
  useEffect(() => {
    if (!canPay || !shouldFocusButton.current) return;
    shouldFocusButton.current = false;
    button.current?.focus();
  }, [canPay]);

  const payWithCard = async (clientSecret: string) => {
    const transactionId = intentIdOf(clientSecret);
    pendingPayments.remember(order._id, transactionId);
    dispatch(paymentStarted({ order: order._id, transactionId }));
    const outcome = await pay(clientSecret, { name: order.client, email: order.email });
    if (outcome.kind === 'paid') {
      dispatch(paymentConfirmed({ order: order._id }));
      return onPaid(outcome.transactionId);
    }
    dispatch(paymentFailed({ order: order._id, code: outcome.code }));
    if (outcome.kind !== 'unclear') pendingPayments.forget(order._id);
    if (outcome.kind === 'refused') declines.current += 1;
    if (outcome.kind === 'stale' || mayHaveReachedDeclineLimit(declines.current)) onStale();
    shouldFocusButton.current = true;
    setError(outcome.message);
    setWorking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!secret || !ready || busy.current) return;
    busy.current = true;
    setWorking(true);
    setError('');
    void payWithCard(secret).finally(() => (busy.current = false));
  };

  return (
    <form method="post" onSubmit={submit}>
      <Stack>
        <Stack $gap={1}>
          <CardLabel htmlFor={id}>Card</CardLabel>
          <CardBox>
            <CardElement
              id={id}
              options={{ style, disabled: working }}
              onReady={onReady}
              onChange={(change) => setError(change.error?.message ?? '')}
            />
          </CardBox>
          {hint && <Hint>{hint}</Hint>}
        </Stack>
        <Button ref={button} type="submit" wide busy={working} disabled={!canPay}>
          {SPEC_MESSAGES.pay}
        </Button>
        {error && <ErrorText>{error}</ErrorText>}
      </Stack>
    </form>
  );
}
