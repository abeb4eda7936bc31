import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDeleteOrderMutation, useListMyOrdersQuery } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Dialog } from '../../ui/Dialog';
import { Head } from '../../ui/Head';
import { PageTitle, Stack } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { OrderTable } from './OrderTable';
import { ButtonLink } from '../../ui/Button';
import { Notice } from '../../ui/Notice';
import { Picture } from '../../ui/Picture';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';

function OrdersSkeleton() {
  return (
    <Stack $gap={2}>
      <Spinner label="Loading your orders" />
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} $height="60px" />
      ))}
    </Stack>
  );
}

function NoOrders() {
  return (
    <Notice title="No orders yet">
      <Picture src="/images/empty-orders.svg" alt="" width={480} height={320} style={{ maxWidth: '280px' }} />
      <p>What you order stands here until it is paid, and after.</p>
      <ButtonLink to="/">See the tools</ButtonLink>
    </Notice>
  );
}

export default function MyOrdersPage() {
  const { email } = useSession();
  const orders = useListMyOrdersQuery(email, { skip: email === '', refetchOnMountOrArgChange: true });
  const [deleteOrder] = useDeleteOrderMutation();
  const [doomed, setDoomed] = useState<Order>();
  const title = useRef<HTMLHeadingElement>(null);
  const going = useRef<string>(undefined);

  function close() {
    going.current = undefined;
    flushSync(() => setDoomed(undefined));
    title.current?.focus({ preventScroll: true });
  }

  /** Closing makes the browser style all that lies behind anew: a task of its own, in which a second press is none. */
  function confirm() {
    if (!doomed || going.current === doomed._id) return;
    going.current = doomed._id;
    void deleteOrder({ _id: doomed._id, email });
    setTimeout(close);
  }

  return (
    <Stack $gap={6}>
      <Head
        title="My Orders"
        description="Your orders and what is still to be paid."
        path="/dashboard/myorder"
        noindex
      />
      <PageTitle ref={title} tabIndex={-1}>
        My Orders
      </PageTitle>
      <QueryView query={orders} loading={<OrdersSkeleton />} empty={<NoOrders />}>
        {(rows) => <OrderTable rows={rows} onDelete={setDoomed} />}
      </QueryView>
      <Dialog
        open={doomed !== undefined}
        title={SPEC_MESSAGES.sure}
        confirm="Delete"
        danger
        onConfirm={confirm}
        onCancel={() => setDoomed(undefined)}
      >
        {doomed && <p>{`The order of ${doomed.totalQuantity} × ${doomed.productName} will be deleted.`}</p>}
      </Dialog>
    </Stack>
  );
}
