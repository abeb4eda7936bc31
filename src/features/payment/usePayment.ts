import { useCallback, useEffect, useRef, useState } from 'react';
import { useCreatePaymentIntentMutation, usePayOrderMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/tokens';
import type { Order } from '../../contract/entities';
import { failureOf } from '../../contract/problem';
import { browserStorage } from '../../storage';
import { totalOfOrder } from './PaymentSummary';

const PREFIX = 'payment:';

/**
 * Stores for each order the id of the payment that this browser last tried to confirm, so that a reload can report it.
 * Client secrets are never stored.
 */
export const pendingPayments = {
  remember: (order: string, transactionId: string) => browserStorage.write(PREFIX + order, transactionId),
  recall: (order: string) => browserStorage.read(PREFIX + order),
  forget: (order: string) => browserStorage.remove(PREFIX + order),
};

/** Requests the client secret of the order's payment when the page loads and when the total changes. */
export function usePaymentSecret(order: Order) {
  const { _id, totalQuantity } = order;
  const total = totalOfOrder(order);
  const [createIntent, { isSuccess, isLoading, error, originalArgs }] = useCreatePaymentIntentMutation();
  const lastTotal = useRef<number>(undefined);
  const requestSecret = useCallback(
    (totalPrice: number, acceptsNewPrice?: true) => {
      lastTotal.current = totalPrice;
      void createIntent({ order: _id, totalPrice, acceptsNewPrice });
    },
    [createIntent, _id],
  );
  /**
   * When the customer accepts a new price, its secret is requested at once. `order` gets this price later, and must not
   * cause a second request.
   */
  useEffect(() => {
    if (lastTotal.current !== total) requestSecret(total);
  }, [requestSecret, total]);
  const requestedTotal = originalArgs?.totalPrice ?? total;

  return {
    secret: isSuccess ? clientSecrets.get(_id) : undefined,
    isLoading,
    error,
    retry: () => requestSecret(requestedTotal, originalArgs?.acceptsNewPrice),
    /** The server takes a request with the total at the new price as the customer's acceptance. */
    acceptPrice: (price: number) => requestSecret(price * totalQuantity, true),
    accepted: originalArgs?.acceptsNewPrice === true,
    /**
     * The order at the price for which the secret was requested. `order` itself gets an accepted price only when it is
     * loaded again.
     */
    orderAtPrice: { ...order, price: requestedTotal / totalQuantity },
  };
}

/** @returns whether reporting the payment again would get the same response */
const isFinal = (error: unknown) => {
  const { status } = failureOf(error);
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 429;
};

/**
 * Reports a payment to the server. If an earlier visit could not report its payment, this is done when the page loads.
 */
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
    /** The payment that an earlier visit could not report. */
    unreportedId,
    reportPaid,
    retry: () => transactionId && void send(transactionId),
    isSending: isLoading,
    failed: error !== undefined,
    refundCode: problem?.code === 'payment_returned' ? String(problem.meta?.['code'] ?? '') : undefined,
  };
}

export type PaymentRecord = ReturnType<typeof usePaymentRecord>;
