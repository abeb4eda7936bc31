import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWatch } from 'react-hook-form';
import { useRefundOrderMutation } from '../../../api/apiSlice';
import type { Order, RefundDraft } from '../../../contract/entities';
import { MAX_LENGTH } from '../../../contract/limits';
import { describeOrder } from '../../../contract/describeOrder';
import { formatCents, formatWithCommas } from '../../../contract/formatWithCommas';
import { leftCentsOf, leftPiecesOf, refundCentsOf } from '../../../contract/refunds';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { FormField } from '../../../ui/Field';
import { parseWholeNumber, wholeNumberRules } from '../../../ui/fieldRules';
import { ErrorText, Stack } from '../../../ui/page';
import { ShortTextField } from '../../../ui/presetFields';
import { customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

function announceRefund({ refundFailed, refundRequested, status }: Order): void {
  if (refundFailed) notify.error(ORDER_MESSAGES.refundFailed);
  else if (refundRequested) notify.success(ORDER_MESSAGES.refundRequested);
  else notify.success(status === 'refunded' ? ORDER_MESSAGES.refunded : ORDER_MESSAGES.partRefunded);
}

function describeShare(order: Order, pieces: number): string {
  if (pieces < leftPiecesOf(order)) return `the price of ${formatWithCommas(pieces)} of `;
  return order.refundedCents ? 'what is left of the payment for ' : 'the whole payment for ';
}

const NUMBER_INPUT = { inputMode: 'numeric', autoComplete: 'off' } as const;

/** Asks for a reason first, so that a single click never refunds an order. */
export function RefundOrder({ order, updates, onConflict }: OrderActionProps) {
  const [refundOrder] = useRefundOrderMutation();
  const leftPieces = leftPiecesOf(order);
  const [isOpen, setOpen] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const close = () => flushSync(() => setOpen(false));
  const draft = `refund:${order._id}`;
  const { form, busy, error, submit } = useOrderAction({
    // By default, only the tools of an order that was not shipped return to the stock, because they are still in the
    // warehouse.
    defaults: { pieces: String(leftPieces), restock: order.status === 'paid' ? String(leftPieces) : '0', reason: '' },
    draft,
    async act({ pieces, restock, reason }) {
      const count = leftPieces > 0 ? { pieces: parseWholeNumber(pieces) } : {};
      const refund: RefundDraft = { reason: reason.trim(), restock: parseWholeNumber(restock), ...count };
      const { key } = drafts.open(draft, refund);
      const refunded = await refundOrder({ order, refund, key }).unwrap();
      drafts.forgetKey(draft, key);
      return refunded;
    },
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
  const typed = parseWholeNumber(useWatch({ control: form.control, name: 'pieces' }));
  const isValid = typed >= Math.min(1, leftPieces) && typed <= leftPieces;
  const pieces = isValid ? typed : leftPieces;
  const { getFieldState, setValue } = form;
  useEffect(() => {
    if (order.status === 'paid' && !getFieldState('restock').isDirty) setValue('restock', String(pieces));
  }, [order.status, pieces, getFieldState, setValue]);
  const amount = isValid && formatCents(refundCentsOf(order, pieces));
  const customer = <bdi>{customerNameOf(order)}</bdi>;
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Refund…
      </Button>
      <Dialog
        open={isOpen}
        title="Refund this order?"
        confirm={amount ? `Refund ${amount}` : 'Refund'}
        danger
        busy={busy}
        onConfirm={() => formElement.current?.requestSubmit()}
        onCancel={() => setOpen(false)}
      >
        <Stack as="form" ref={formElement} noValidate aria-label="Refund" onSubmit={(event) => void submit(event)}>
          <p>
            {amount ? (
              <>
                <strong>{amount}</strong> goes back to {customer}: {describeShare(order, pieces)}
              </>
            ) : (
              <>The refund goes to {customer}, who ordered </>
            )}
            {describeOrder(order)}. This can't be undone.
          </p>
          {order.status === 'shipped' && <p>This order is already shipped.</p>}
          {leftPieces > 0 && (
            <FormField
              form={form}
              name="pieces"
              label="Pieces to refund"
              hint={`Up to ${formatWithCommas(leftPieces)}, for ${formatCents(leftCentsOf(order))}.`}
              rules={wholeNumberRules('Pieces to refund', { from: 1, to: leftPieces })}
              {...NUMBER_INPUT}
            />
          )}
          {leftPieces > 0 && order.status !== 'refunded' && (
            <FormField
              form={form}
              name="restock"
              label="Pieces back in stock"
              hint="How many of these pieces you can sell again."
              rules={wholeNumberRules('Pieces back in stock', { from: 0, to: pieces })}
              {...NUMBER_INPUT}
            />
          )}
          <ShortTextField
            form={form}
            name="reason"
            label="Reason"
            hint="For your records. The customer doesn't see it."
            maxCharacters={MAX_LENGTH.note}
          />
          {error && <ErrorText>{error}</ErrorText>}
        </Stack>
      </Dialog>
    </>
  );
}
