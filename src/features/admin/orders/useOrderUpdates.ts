import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Order } from '../../../contract/entities';
import { findNextOrder } from './orderStatus';
import type { OrderList } from './useOrderList';

export const toggleId = (orderId: string) => `order-${orderId}`;
const focusRow = (orderId: string) => {
  const toggle = document.getElementById(toggleId(orderId));
  toggle?.focus();
  return toggle !== null;
};

/** Opens the next order and moves the focus after an order was shipped, priced, refunded or deleted. */
export function useOrderUpdates({ latestRows, setOpen }: OrderList, title: RefObject<HTMLHeadingElement | null>) {
  const focusTitle = () => title.current?.focus();
  return {
    /**
     * Opens the next order that needs the same action, and moves the focus into its form. If there is none, keeps this
     * order open.
     */
    openNextOrder(handled: Order) {
      const next = findNextOrder(latestRows.current, handled);
      flushSync(() => setOpen(next?._id ?? handled._id, true));
      if (next) document.getElementById(toggleId(next._id))?.scrollIntoView({ block: 'nearest' });
      else if (!focusRow(handled._id)) focusTitle();
    },
    focusOrder: ({ _id }: Order) => focusRow(_id),
    closeDeleted() {
      flushSync(() => setOpen(undefined));
      focusTitle();
    },
  };
}

export type OrderUpdates = ReturnType<typeof useOrderUpdates>;
