import { useState } from 'react';
import { useDeleteOrderMutation } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { deleteOrderQuestion } from '../../contract/describeOrder';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { notify } from '../../feedback/notify';
import { notifyFailure } from '../../feedback/notifyFailure';
import { Button } from '../../ui/Button';
import { DeleteDialog } from '../../ui/DeleteDialog';
import { useNavigateWhileMounted } from '../../ui/useNavigateWhileMounted';

export function DeleteOrder({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const [deleteOrder, { isLoading }] = useDeleteOrderMutation();
  const navigate = useNavigateWhileMounted();

  const confirm = async () => {
    const { error } = await deleteOrder(order);
    setOpen(false);
    if (error) return notifyFailure(error);
    // `true` closes older toasts, because one of them may be about the order that was just deleted.
    notify.success(PAGE_MESSAGES.orderDeleted, true);
    void navigate('/dashboard/myorder', { replace: true });
  };
  return (
    <div>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete this order
      </Button>
      <DeleteDialog open={isOpen} busy={isLoading} onConfirm={() => void confirm()} onCancel={() => setOpen(false)}>
        <p>{deleteOrderQuestion(order)}</p>
      </DeleteDialog>
    </div>
  );
}
