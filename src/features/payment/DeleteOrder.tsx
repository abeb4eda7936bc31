import { useState } from 'react';
import { useDeleteOrderMutation } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { useNavigateIfHere } from '../../ui/useNavigateIfHere';

/** What fails is said at the top right, as everywhere. */
export function DeleteOrder({ order }: { order: Order }) {
  const [asking, setAsking] = useState(false);
  const [deleteOrder, { isLoading }] = useDeleteOrderMutation();
  const navigate = useNavigateIfHere();

  const confirmed = async () => {
    const { error } = await deleteOrder({ _id: order._id, email: order.email });
    setAsking(false);
    if (!error) void navigate('/dashboard/myorder', { replace: true });
  };
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete this order
      </Button>
      <Dialog
        open={asking}
        title={SPEC_MESSAGES.sure}
        confirm="Delete"
        cancel="Keep it"
        danger
        busy={isLoading}
        onConfirm={() => void confirmed()}
        onCancel={() => setAsking(false)}
      >
        <p>
          The order of {order.totalQuantity} × {order.productName} is deleted. This cannot be undone.
        </p>
      </Dialog>
    </div>
  );
}
