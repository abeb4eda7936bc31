import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRefundOrderMutation } from '../../../api/apiSlice';
import type { Order } from '../../../contract/entities';
import { MAX_LENGTH } from '../../../contract/limits';
import { describeOrder } from '../../../contract/describeOrder';
import { formatCents } from '../../../contract/formatWithCommas';
import { leftCentsOf } from '../../../contract/refunds';
import { notify } from '../../../feedback/notify';
import { Button } from '../../../ui/Button';
import { CheckboxLabel } from '../../../ui/CheckboxLabel';
import { Dialog } from '../../../ui/Dialog';
import { ErrorText, Stack } from '../../../ui/page';
import { ShortTextField } from '../../../ui/presetFields';
import { customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

function announceRefund({ refundFailed, refundRequested, status }: Order): void {
  if (refundFailed) notify.error(ORDER_MESSAGES.refundFailed);
  else
    notify.success(refundRequested || status !== 'refunded' ? ORDER_MESSAGES.refundRequested : ORDER_MESSAGES.refunded);
}

/** Asks for a reason first, so that a single click never refunds an order. */
export function RefundOrder({ order, updates, onConflict }: OrderActionProps) {
  const [refundOrder] = useRefundOrderMutation();
  const amount = formatCents(leftCentsOf(order));
  const [isOpen, setOpen] = useState(false);
  // By default, only the tools of an order that was not shipped return to the stock, because they are still in the
  // warehouse.
  const [restock, setRestock] = useState(order.status === 'paid');
  const formElement = useRef<HTMLFormElement>(null);
  const close = () => flushSync(() => setOpen(false));
  const { form, busy, error, submit } = useOrderAction({
    defaults: { reason: '' },
    act: ({ reason }) => refundOrder({ order, reason: reason.trim(), restock }).unwrap(),
    onDone(refunded) {
      close();
      announceRefund(refunded);
      updates.focusOrder(order);
    },
    onConflict(text) {
      close();
      onConflict(text);
    },
  });
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Refund…
      </Button>
      <Dialog
        open={isOpen}
        title="Refund this order?"
        confirm={`Refund ${amount}`}
        danger
        busy={busy}
        onConfirm={() => formElement.current?.requestSubmit()}
        onCancel={() => setOpen(false)}
      >
        <Stack as="form" ref={formElement} noValidate aria-label="Refund" onSubmit={(event) => void submit(event)}>
          <p>
            <strong>{amount}</strong> goes back to <bdi>{customerNameOf(order)}</bdi>:{' '}
            {order.refundedCents ? 'what is left of the' : 'the whole'} payment for {describeOrder(order)}. This can't
            be undone.
          </p>
          {order.status === 'shipped' && <p>This order is already shipped.</p>}
          <ShortTextField
            form={form}
            name="reason"
            label="Reason"
            hint="For your records. The customer doesn't see it."
            maxCharacters={MAX_LENGTH.note}
          />
          {order.status !== 'refunded' && (
            <CheckboxLabel>
              <input type="checkbox" checked={restock} onChange={(event) => setRestock(event.target.checked)} />
              Put the tools back in stock
            </CheckboxLabel>
          )}
          {error && <ErrorText>{error}</ErrorText>}
        </Stack>
      </Dialog>
    </>
  );
}
