import { useState } from 'react';
import { useDeleteOrderMutation } from '../../api/apiSlice';
import { deleteOrderQuestion } from '../../contract/describeOrder';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { notify } from '../../feedback/notify';
import { notifyFailure } from '../../feedback/notifyFailure';
import { Button } from '../../ui/Button';
import { DeleteDialog } from '../../ui/DeleteDialog';
import { conflictMessageOf, customerNameOf } from './orderMessages';
import type { OrderFormProps } from './ShipForm';

export function DeleteUnpaidOrder({ order, updates, onConflict }: Omit<OrderFormProps, 'takesFocus'>) {
  const [isOpen, setOpen] = useState(false);
  const [deleteOrder, { isLoading }] = useDeleteOrderMutation();

  async function confirm() {
    const { error } = await deleteOrder(order);
    setOpen(false);
    const conflict = conflictMessageOf(error);
    if (conflict) return onConflict(conflict);
    if (error) return notifyFailure(error);
    notify.success(PAGE_MESSAGES.orderDeleted);
    updates.closeDeleted();
  }

  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <DeleteDialog open={isOpen} busy={isLoading} onConfirm={() => void confirm()} onCancel={() => setOpen(false)}>
        <p>{deleteOrderQuestion(order, `the order of ${customerNameOf(order)}`)}</p>
      </DeleteDialog>
    </>
  );
}
