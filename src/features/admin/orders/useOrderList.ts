import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useGetOrderQuery, useListOrderPagesInfiniteQuery } from '../../../api/apiSlice';
import type { Order } from '../../../contract/entities';
import { MAX_REFETCHED_PAGES } from '../../../contract/limits';
import { failureOf } from '../../../contract/problem';
import { withOpenOrder } from './orderStatus';
import { useOrderSearchParams } from './useOrderSearchParams';

interface OpenOrder {
  id: string;
  /** The filter and search with which the order was opened. Changing them closes it. */
  listKey: string;
  /** Whether the order's form gets the focus when it opens. */
  takesFocus: boolean;
}

/** The orders that match the filter and search. Of the open order, the list has the newest loaded version. */
export function useOrderList() {
  const { filter, q } = useOrderSearchParams();
  const listKey = `${filter} ${q}`;
  const [opened, setOpened] = useState<OpenOrder>();
  const open = opened?.listKey === listKey ? opened : undefined;
  const setOpen = useCallback(
    (id: string | undefined, takesFocus = false) =>
      setOpened(id === undefined ? undefined : { id, listKey, takesFocus }),
    [listKey],
  );
  const [isLong, setLong] = useState(false);

  const arg = { status: filter === 'all' ? undefined : filter, q: q.trim() || undefined };
  const list = useListOrderPagesInfiniteQuery(arg, { refetchOnMountOrArgChange: true, refetchOnFocus: !isLong });
  const shown = list.currentData ?? list.data;
  const pageCount = shown?.pages.length ?? 0;
  if (isLong !== pageCount > MAX_REFETCHED_PAGES) setLong(pageCount > MAX_REFETCHED_PAGES);
  const loaded = useMemo(() => shown?.pages.flatMap(({ orders }) => orders), [shown]);

  const detail = useGetOrderQuery(open?.id ?? '', { skip: !open, refetchOnMountOrArgChange: true });
  const isInList = loaded?.some(({ _id }) => _id === open?.id) ?? false;
  const isNewer = (detail.fulfilledTimeStamp ?? 0) >= (list.fulfilledTimeStamp ?? 0);
  const newestOrder = !isInList || isNewer ? detail.currentData : undefined;
  const rows = useMemo(() => loaded && withOpenOrder(loaded, newestOrder), [loaded, newestOrder]);
  const latest = useRef<{ rows: readonly Order[]; openId?: string | undefined }>({ rows: [] });
  useLayoutEffect(() => void (latest.current = { rows: rows ?? [], openId: open?.id }), [rows, open]);

  return {
    arg,
    list,
    rows,
    /** For what happens after a request, when the admin may have moved on. */
    latest,
    /** Whether the rows are still those of the previous filter or search. */
    isStale: shown !== undefined && list.currentData === undefined,
    openOrder: rows?.find(({ _id }) => _id === open?.id),
    takesFocus: open?.takesFocus ?? false,
    isDeleted: open !== undefined && failureOf(detail.error).status === 404,
    setOpen,
  };
}

export type OrderList = ReturnType<typeof useOrderList>;
