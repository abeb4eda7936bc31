import type { RefObject } from 'react';
import { original } from '@reduxjs/toolkit';
import { flushSync } from 'react-dom';
import { apiSlice } from '../../api/apiSlice';
import { useApiDispatch } from '../../api/useApiDispatch';
import type { Order } from '../../contract/entities';
import { findNextOrder } from './orderStatus';
import type { OrderList } from './useOrderList';

export const toggleId = (orderId: string) => `order-${orderId}`;
const focusRow = (orderId: string) => {
  const toggle = document.getElementById(toggleId(orderId));
  toggle?.focus();
  return toggle !== null;
};

/** Updates the list and moves the focus after an order was shipped, priced, refunded or deleted. */
export function useOrderUpdates({ arg, latestRows, setOpen }: OrderList, title: RefObject<HTMLHeadingElement | null>) {
  const dispatch = useApiDispatch();
  const { updateQueryData, getRunningQueryThunk, invalidateTags } = apiSlice.util;

  /**
   * Shows the action's result in the list, without waiting until the list is loaded again.
   * @param result the order after the action, or undefined if it was deleted
   */
  function showResult(id: string, result: Order | undefined) {
    const isListed = result && (arg.status === undefined || arg.status === result.status);
    const change = (row: Order) => (row._id === id ? (isListed ? [result] : []) : [row]);
    dispatch(
      updateQueryData('listOrderPages', arg, (draft) => {
        const { pages, pageParams } = original(draft)!;
        return { pageParams, pages: pages.map((page) => ({ ...page, orders: page.orders.flatMap(change) })) };
      }),
    );
    if (result) dispatch(updateQueryData('getOrder', id, () => result));
  }

  const focusTitle = () => title.current?.focus();
  return {
    /**
     * RTK Query ignores an invalidation while the list is loading
     * (https://github.com/reduxjs/redux-toolkit/issues/3622). The list that is loading may not contain the result of
     * the request, so it is invalidated again once it has loaded.
     */
    async sendAndReloadList<R>(sendRequest: () => Promise<R>): Promise<R> {
      const earlier = dispatch(getRunningQueryThunk('listOrderPages', arg));
      const result = await sendRequest();
      const isStillLoading =
        earlier && earlier.requestId === dispatch(getRunningQueryThunk('listOrderPages', arg))?.requestId;
      if (isStillLoading) void earlier.finally(() => dispatch(invalidateTags([{ type: 'Order', id: 'LIST' }])));
      return result;
    },
    /**
     * Opens the next order that needs the same action, and moves the focus into its form. If there is none, keeps this
     * order open.
     */
    openNextOrder(handled: Order, result: Order) {
      const next = findNextOrder(latestRows.current, handled);
      flushSync(() => {
        showResult(handled._id, result);
        setOpen(next?._id ?? handled._id, true);
      });
      if (next) document.getElementById(toggleId(next._id))?.scrollIntoView({ block: 'nearest' });
      else if (!focusRow(handled._id)) focusTitle();
    },
    /** Keeps the order open and moves the focus to its row. */
    keepOpen(result: Order) {
      flushSync(() => showResult(result._id, result));
      focusRow(result._id);
    },
    remove({ _id }: Order) {
      flushSync(() => {
        setOpen(undefined);
        showResult(_id, undefined);
      });
      focusTitle();
    },
  };
}

export type OrderUpdates = ReturnType<typeof useOrderUpdates>;
