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
export function useOrderUpdates({ latest, setOpen }: OrderList, title: RefObject<HTMLHeadingElement | null>) {
  const focusTitle = () => title.current?.focus();
  return {
    /**
     * Opens the next order that needs the same action, and moves the focus into its form. If there is none, keeps this
     * order open. Does nothing if the admin has opened another order meanwhile.
     */
    openNextOrder(handled: Order) {
      const { rows, openId } = latest.current;
      if (openId !== handled._id) return;
      const next = findNextOrder(rows, handled);
      flushSync(() => setOpen(next?._id ?? handled._id, true));
      if (next) document.getElementById(toggleId(next._id))?.scrollIntoView({ block: 'nearest' });
      else if (!focusRow(handled._id)) focusTitle();
    },
    focusOrder: ({ _id }: Order) => focusRow(_id),
    closeDeleted({ _id }: Order) {
      if (latest.current.openId !== _id) return;
      flushSync(() => setOpen(undefined));
      focusTitle();
    },
  };
}

export type OrderUpdates = ReturnType<typeof useOrderUpdates>;
