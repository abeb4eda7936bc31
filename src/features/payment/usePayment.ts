import { useCallback, useEffect, useRef, useState } from 'react';
import { useCreatePaymentIntentMutation, usePayOrderMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/tokens';
import type { Order } from '../../contract/entities';
import { failureOf } from '../../contract/problem';
import { browserStorage } from '../../storage';
import { totalOf } from './PaymentSummary';

const PREFIX = 'payment:';

/** The payment that was last confirmed for an order in this browser: its id, never its secret. */
export const pendingPayments = {
  remember: (order: string, transactionId: string) => browserStorage.write(PREFIX + order, transactionId),
  recall: (order: string) => browserStorage.read(PREFIX + order),
  forget: (order: string) => browserStorage.remove(PREFIX + order),
};

/** Asks for the payment's secret when the page loads. */
export function usePaymentSecret(order: Order) {
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

/** The server has said its last word on this payment. */
const isFinal = (error: unknown) => {
  const { status } = failureOf(error);
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 429;
};

/** Tells the server what was paid, as often as it takes; a payment that another visit began is told at once. */
export function usePaymentRecord(order: string) {
  const [pay, { isLoading, error }] = usePayOrderMutation();
  const [transactionId, setTransactionId] = useState<string>();

  const tell = useCallback(
    async (paid: string) => {
      const answer = await pay({ order, transactionId: paid });
      if (!answer.error || isFinal(answer.error)) pendingPayments.forget(order);
    },
    [order, pay],
  );
  useEffect(() => {
    const begun = pendingPayments.recall(order);
    if (begun) void tell(begun);
  }, [order, tell]);

  const paid = (id: string) => {
    setTransactionId(id);
    void tell(id);
  };
  const { problem } = failureOf(error);
  return {
    transactionId,
    paid,
    tellAgain: () => transactionId && void tell(transactionId),
    isTelling: isLoading,
    failed: error !== undefined,
    returnCode: problem?.code === 'payment_returned' ? String(problem.meta?.['code'] ?? '') : undefined,
  };
}

export type PaymentRecord = ReturnType<typeof usePaymentRecord>;
