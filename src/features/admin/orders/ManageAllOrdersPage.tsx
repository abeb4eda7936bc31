import { useDeferredValue, useRef } from 'react';
import { useCountOrdersQuery } from '../../../api/apiSlice';
import { formatCount } from '../../../contract/formatCount';
import { Head } from '../../../ui/Head';
import { PageTitle, Stack } from '../../../ui/page';
import { QueryView } from '../../../ui/QueryView';
import { DownloadOrders, OrderSearch, StatusFilters } from './OrderFilters';
import { OrderResults, OrdersSkeleton } from './OrderResults';
import { useOrderSearchParams } from './useOrderSearchParams';
import { useOrderList, type OrderList } from './useOrderList';

function resultLine({ list, rows, isStale }: OrderList): string {
  if (!rows || isStale) return list.isError ? '' : 'Searching…';
  if (rows.length === 0) return 'No orders found.';
  const more = list.hasNextPage ? 'more than ' : '';
  return `Found ${more}${formatCount(rows.length, 'order')}.`;
}

export default function ManageAllOrdersPage() {
  const { filter, q, search } = useOrderSearchParams();
  const count = useCountOrdersQuery(undefined, { refetchOnMountOrArgChange: true });
  const orders = useOrderList();
  const title = useRef<HTMLHeadingElement>(null);
  // Deferred, so that the first orders are rendered in small parts after they have loaded.
  const isReady = useDeferredValue(count.data !== undefined && orders.rows !== undefined);
  return (
    <Stack $gap={6}>
      <Head
        title="Manage All Orders"
        description="Ship, price and refund the shop's orders."
        path="/dashboard/manageallorders"
        noindex
      />
      <PageTitle ref={title} tabIndex={-1}>
        Manage All Orders
      </PageTitle>
      <QueryView query={count} loading={<OrdersSkeleton />}>
        {(total) => (
          <>
            <p>{`${formatCount(total, 'order')} so far.`}</p>
            {total > 0 && (
              <>
                <StatusFilters filter={filter} q={q} total={total} />
                <OrderSearch q={q} result={resultLine(orders)} onSearch={search} />
                <DownloadOrders filter={filter} q={q} />
                <OrderResults orders={orders} title={title} isReady={isReady} />
              </>
            )}
          </>
        )}
      </QueryView>
    </Stack>
  );
}
