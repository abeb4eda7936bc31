import { useState } from 'react';
import { useDeleteOrderMutation } from '../../../api/apiSlice';
import { deleteOrderQuestion } from '../../../contract/describeOrder';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { notify } from '../../../feedback/notify';
import { Button } from '../../../ui/Button';
import { DeleteDialog } from '../../../ui/DeleteDialog';
import { ErrorText } from '../../../ui/page';
import { customerNameOf } from './orderMessages';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

const NO_FIELDS = {};

export function DeleteUnpaidOrder({ order, updates, onConflict }: OrderActionProps) {
  const [isOpen, setOpen] = useState(false);
  const [deleteOrder] = useDeleteOrderMutation();
  const { busy, error, submit } = useOrderAction({
    defaults: NO_FIELDS,
    act: () => deleteOrder(order).unwrap(),
    onDone() {
      notify.success(PAGE_MESSAGES.orderDeleted);
      updates.closeDeleted(order);
    },
    onConflict(text) {
      setOpen(false);
      onConflict(text);
    },
  });

  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <DeleteDialog open={isOpen} busy={busy} onConfirm={() => void submit()} onCancel={() => setOpen(false)}>
        <p>{deleteOrderQuestion(order, `the order of ${customerNameOf(order)}`)}</p>
        {error && <ErrorText>{error}</ErrorText>}
      </DeleteDialog>
    </>
  );
}
