import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDeleteOrderMutation, useListMyOrdersQuery } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import type { Order } from '../../contract/entities';
import { deleteOrderQuestion } from '../../contract/describeOrder';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { notify } from '../../feedback/notify';
import { notifyFailure } from '../../feedback/notifyFailure';
import { DeleteDialog } from '../../ui/DeleteDialog';
import { Head } from '../../ui/Head';
import { PageTitle, Stack } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { MIN_ORDERS_FOR_FILTER, filterOrders, NO_SEARCH, OrderFilter } from './OrderFilter';
import { OrderTable } from './OrderTable';
import { OrdersToPay } from './OrdersToPay';
import { Button, ButtonLink } from '../../ui/Button';
import { Notice } from '../../ui/Notice';
import { Picture } from '../../ui/Picture';
import { RowsSkeleton } from '../../ui/RowsSkeleton';

/** A success closes older toasts, because one of them may be about the order that was just deleted. */
function announceDeletion({ error }: { error?: unknown }): void {
  if (error) notifyFailure(error);
  else notify.success(PAGE_MESSAGES.orderDeleted, true);
}

function NoOrders() {
  return (
    <Notice title="No orders yet">
      <Picture
        src="/images/empty-orders.svg"
        alt=""
        width={480}
        height={320}
        style={{ maxWidth: '280px', background: 'none' }}
      />
      <p>Your orders will appear here.</p>
      <ButtonLink to="/">See the tools</ButtonLink>
    </Notice>
  );
}

type OrdersProps = { rows: readonly Order[]; onDelete: (order: Order) => void };

function Orders({ rows, onDelete }: OrdersProps) {
  const [search, setSearch] = useState(NO_SEARCH);
  const found = useMemo(() => filterOrders(rows, search), [rows, search]);
  const hasFilter = rows.length >= MIN_ORDERS_FOR_FILTER || search !== NO_SEARCH;
  return (
    <Stack $gap={6}>
      <OrdersToPay orders={rows} />
      {hasFilter && <OrderFilter search={search} found={found.length} onChange={setSearch} />}
      {found.length > 0 ? (
        <OrderTable rows={found} onDelete={onDelete} />
      ) : (
        <Notice title="No order matches your search">
          <Button variant="quiet" onClick={() => setSearch(NO_SEARCH)}>
            Show all orders
          </Button>
        </Notice>
      )}
    </Stack>
  );
}

export default function MyOrdersPage() {
  const { email } = useSession();
  const orders = useListMyOrdersQuery(email, { skip: email === '', refetchOnMountOrArgChange: true });
  const [deleteOrder] = useDeleteOrderMutation();
  const [orderToDelete, setOrderToDelete] = useState<Order>();
  const title = useRef<HTMLHeadingElement>(null);
  const deletingId = useRef<string>(undefined);

  function close() {
    deletingId.current = undefined;
    flushSync(() => setOrderToDelete(undefined));
    title.current?.focus({ preventScroll: true });
  }

  /**
   * Closes the dialog in a task of its own, because closing it makes the browser restyle the whole page. `deletingId`
   * makes it ignore a second click in the meantime.
   */
  function confirm() {
    if (!orderToDelete || deletingId.current === orderToDelete._id) return;
    deletingId.current = orderToDelete._id;
    void deleteOrder({ ...orderToDelete, email }).then(announceDeletion);
    setTimeout(close);
  }

  return (
    <Stack $gap={6}>
      <Head title="My Orders" description="Your orders and their payments." path="/dashboard/myorder" noindex />
      <PageTitle ref={title} tabIndex={-1}>
        My Orders
      </PageTitle>
      <QueryView
        query={orders}
        loading={<RowsSkeleton label="Loading your orders" height="123px" rows={4} />}
        empty={<NoOrders />}
      >
        {(rows) => <Orders rows={rows} onDelete={setOrderToDelete} />}
      </QueryView>
      <DeleteDialog open={orderToDelete !== undefined} onConfirm={confirm} onCancel={() => setOrderToDelete(undefined)}>
        {orderToDelete && <p>{deleteOrderQuestion(orderToDelete)}</p>}
      </DeleteDialog>
    </Stack>
  );
}
