import { useState } from 'react';
import { useDeleteOrderMutation } from '../../api/apiSlice';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { notify } from '../../feedback/notify';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { conflictOf, deleteQuestion } from './orderMessages';
import type { OrderFormProps } from './ShipForm';

export function DeleteUnpaidOrder({ order, work, onConflict }: Omit<OrderFormProps, 'takesFocus'>) {
  const [isOpen, setOpen] = useState(false);
  const [deleteOrder, { isLoading }] = useDeleteOrderMutation();

  async function confirm() {
    const { error } = await work.perform(() => deleteOrder({ _id: order._id, email: order.email }));
    setOpen(false);
    const conflict = conflictOf(error);
    if (conflict) onConflict(conflict);
    if (error) return;
    notify.success(PAGE_MESSAGES.orderDeleted);
    work.remove(order);
  }

  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <Dialog
        open={isOpen}
        title={SPEC_MESSAGES.areYouSure}
        confirm="Delete"
        cancel="Keep it"
        danger
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setOpen(false)}
      >
        <p>{deleteQuestion(order)}</p>
      </Dialog>
    </>
  );
}
