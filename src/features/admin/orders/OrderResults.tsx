import { useCallback, useMemo, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { LoadError, Notice } from '../../../ui/Notice';
import { RowsSkeleton } from '../../../ui/RowsSkeleton';
import { Spinner } from '../../../ui/Spinner';
import { emptyTitleOf } from './orderMessages';
import { OrderDetails } from './OrderDetails';
import { OrderRows } from './OrderRows';
import { Results } from './ordersStyle';
import { buildOrderSearchParams, useOrderSearchParams } from './useOrderSearchParams';
import type { OrderList } from './useOrderList';
import { useOrderUpdates } from './useOrderUpdates';

export const OrdersSkeleton = () => <RowsSkeleton label="Loading the orders" height="69px" />;

function NoOrders() {
  const { filter, q } = useOrderSearchParams();
  return (
    <Notice title={emptyTitleOf(filter, q.trim())}>
      {filter !== 'all' && (
        <Link to={buildOrderSearchParams('all', q)}>{q.trim() ? 'Search all orders' : 'See all orders'}</Link>
      )}
    </Notice>
  );
}

/** Shown below the orders while the next page is loading, or if it did not load. */
function NextPage({ list }: { list: OrderList['list'] }) {
  if (list.isFetchNextPageError && !list.isFetching)
    return (
      <LoadError title="The next orders didn't load" error={list.error} onRetry={() => void list.fetchNextPage()} />
    );
  return list.isFetchingNextPage ? <Spinner label="Loading more orders" /> : null;
}

type Props = {
  orders: OrderList;
  title: RefObject<HTMLHeadingElement | null>;
  /** Whether the loaded orders may be rendered already. */
  isReady: boolean;
};

export function OrderResults({ orders, title, isReady }: Props) {
  const { list, rows, openOrder, takesFocus, isDeleted, isStale, setOpen } = orders;
  const updates = useOrderUpdates(orders, title);
  const { fetchNextPage } = list;
  const canLoadMore = list.hasNextPage && !list.isFetching && !list.isError;
  const loadMore = useMemo(() => (canLoadMore ? () => void fetchNextPage() : undefined), [canLoadMore, fetchNextPage]);
  const toggle = useCallback((id: string, isOpen: boolean) => setOpen(isOpen ? undefined : id), [setOpen]);

  if (list.isError && !list.currentData) return <LoadError error={list.error} onRetry={() => void list.refetch()} />;
  if (!rows || !isReady) return <OrdersSkeleton />;
  if (rows.length === 0 && !isStale) return <NoOrders />;
  const details = openOrder && (
    <OrderDetails
      key={openOrder._id}
      order={openOrder}
      updates={updates}
      takesFocus={takesFocus}
      isDeleted={isDeleted}
    />
  );
  return (
    <Results $isStale={isStale} aria-busy={isStale}>
      <OrderRows
        rows={rows}
        opened={openOrder && { key: openOrder._id, details }}
        onToggle={toggle}
        loadMore={loadMore}
      />
      <NextPage list={list} />
    </Results>
  );
}
