import { useCallback, useEffect, useRef } from 'react';
import { useCreatePaymentIntentMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/tokens';
import type { Order } from '../../contract/entities';
import { totalOf } from './Summary';

/** Asks for the payment's secret when the page loads. */
export function useSecret(order: Order) {
  const { _id, totalQuantity } = order;
  const total = totalOf(order);
  const [ask, { isSuccess, isLoading, error, originalArgs }] = useCreatePaymentIntentMutation();
  const lastTotal = useRef<number>(undefined);
  const askFor = useCallback(
    (totalPrice: number, accepts?: true) => {
      lastTotal.current = totalPrice;
      void ask({ order: _id, totalPrice, accepts });
    },
    [ask, _id],
  );
  /** An accepted price comes back with the order: its payment is there already. */
  useEffect(() => {
    if (lastTotal.current !== total) askFor(total);
  }, [askFor, total]);
  const asked = originalArgs?.totalPrice ?? total;

  return {
    secret: isSuccess ? clientSecrets.get(_id) : undefined,
    isAsking: isLoading,
    error,
    askAgain: () => askFor(asked, originalArgs?.accepts),
    /** Sending the total of the new price accepts it. */
    acceptPrice: (price: number) => askFor(price * totalQuantity, true),
    accepted: originalArgs?.accepts === true,
    /** The order at the price that is asked for, which it has itself only once it is read again. */
    priced: { ...order, price: asked / totalQuantity },
  };
}
