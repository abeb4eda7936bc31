import { useCallback, useEffect, useRef, useState } from 'react';
import { useCreatePaymentIntentMutation, usePayOrderMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/tokens';
import type { Order } from '../../contract/entities';
import { failureOf } from '../../contract/problem';
import { browserStorage } from '../../storage';
import { totalOf } from './PaymentSummary';

const PREFIX = 'payment:';

/** The id of the payment that this browser last confirmed for an order. The secret is never stored. */
export const pendingPayments = {
  remember: (order: string, transactionId: string) => browserStorage.write(PREFIX + order, transactionId),
  recall: (order: string) => browserStorage.read(PREFIX + order),
  forget: (order: string) => browserStorage.remove(PREFIX + order),
};

/** Requests the payment's secret when the page loads. */
export function usePaymentSecret(order: Order) {
  const { _id, totalQuantity } = order;
  const total = totalOf(order);
  const [createIntent, { isSuccess, isLoading, error, originalArgs }] = useCreatePaymentIntentMutation();
  const lastTotal = useRef<number>(undefined);
  const requestSecret = useCallback(
    (totalPrice: number, acceptsNewPrice?: true) => {
      lastTotal.current = totalPrice;
      void createIntent({ order: _id, totalPrice, acceptsNewPrice });
    },
    [createIntent, _id],
  );
  /** Skips a total that was already requested: accepting a new price requests it before the order shows it. */
  useEffect(() => {
    if (lastTotal.current !== total) requestSecret(total);
  }, [requestSecret, total]);
  const requestedTotal = originalArgs?.totalPrice ?? total;

  return {
    secret: isSuccess ? clientSecrets.get(_id) : undefined,
    isLoading,
    error,
    retry: () => requestSecret(requestedTotal, originalArgs?.acceptsNewPrice),
    /** Sending the total of the new price accepts it. */
    acceptPrice: (price: number) => requestSecret(price * totalQuantity, true),
    accepted: originalArgs?.acceptsNewPrice === true,
    /** The order with the requested price. `order` has an accepted price only once it is read again. */
    orderAtPrice: { ...order, price: requestedTotal / totalQuantity },
  };
}

/** Whether the server sent its final response about this payment. */
const isFinal = (error: unknown) => {
  const { status } = failureOf(error);
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 429;
};

/** Reports a payment to the server. A payment that an earlier visit left unrecorded is reported on load. */
export function usePaymentRecord(order: string) {
  const [pay, { isLoading, error }] = usePayOrderMutation();
  const [transactionId, setTransactionId] = useState<string>();
  const [unreportedId] = useState(() => pendingPayments.recall(order) ?? undefined);

  const send = useCallback(
    async (intentId: string) => {
      const answer = await pay({ order, transactionId: intentId });
      if (!answer.error || isFinal(answer.error)) pendingPayments.forget(order);
    },
    [order, pay],
  );
  useEffect(() => {
    if (unreportedId) void send(unreportedId);
  }, [unreportedId, send]);

  const reportPaid = (id: string) => {
    setTransactionId(id);
    void send(id);
  };
  const { problem } = failureOf(error);
  return {
    transactionId,
    /** The payment of an earlier visit, which this page reports. */
    unreportedId,
    reportPaid,
    retry: () => transactionId && void send(transactionId),
    isSending: isLoading,
    failed: error !== undefined,
    refundCode: problem?.code === 'payment_returned' ? String(problem.meta?.['code'] ?? '') : undefined,
  };
}

export type PaymentRecord = ReturnType<typeof usePaymentRecord>;
