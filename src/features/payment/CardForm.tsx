import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { Order } from '../../contract/entities';
import { MAX_DECLINES } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button } from '../../ui/Button';
import { Hint } from '../../ui/fieldStyle';
import { ErrorText, Stack } from '../../ui/page';
import { useCardLook } from './cardLook';
import { CardBox, CardLabel } from './paymentStyle';
import { CardElement, intentIdOf, useCard } from './stripe';
import { pendingPayments } from './usePayment';

type CardFormProps = {
  order: Order;
  secret: string | undefined;
  hint: string | undefined;
  /** It takes the place of the button that was pressed last. */
  takesFocus: boolean;
  onPaid: (transactionId: string) => void;
  /** This payment takes no card any more. */
  onStale: () => void;
};

/** The shop knows whether it is, and the customer should read so before the next card. */
const mayBeLimit = (refusals: number) => refusals >= MAX_DECLINES;

export function CardForm({ order, secret, hint, takesFocus, onPaid, onStale }: CardFormProps) {
  const { pay, ready, onReady } = useCard();
  const style = useCardLook();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const busy = useRef(false);
  const tried = useRef(takesFocus);
  const refusals = useRef(0);
  const [working, setWorking] = useState(false);
  const [error, setError] = useState('');
  const open = Boolean(secret) && ready && !working;

  /** Disabled, it lost the focus: it has it back when it can be pressed again, which may need another secret. */
  useEffect(() => {
    if (!open || !tried.current) return;
    tried.current = false;
    button.current?.focus();
  }, [open]);

  const work = async (clientSecret: string) => {
    pendingPayments.remember(order._id, intentIdOf(clientSecret));
    const outcome = await pay(clientSecret, { name: order.client, email: order.email });
    if (outcome.kind === 'paid') return onPaid(outcome.transactionId);
    if (outcome.kind !== 'unclear') pendingPayments.forget(order._id);
    if (outcome.kind === 'refused') refusals.current += 1;
    if (outcome.kind === 'stale' || mayBeLimit(refusals.current)) onStale();
    tried.current = true;
    setError(outcome.message);
    setWorking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!secret || !ready || busy.current) return;
    busy.current = true;
    setWorking(true);
    setError('');
    void work(secret).finally(() => (busy.current = false));
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
        <Button ref={button} type="submit" wide busy={working} disabled={!open}>
          {SPEC_MESSAGES.pay}
        </Button>
        {error && <ErrorText>{error}</ErrorText>}
      </Stack>
    </form>
  );
}
