import { useCallback, useEffect, useRef, useState } from 'react';
import { useCreatePaymentIntentMutation, usePayOrderMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/tokens';
import type { Order, Problem } from '../../contract/entities';
import { failureOf } from '../../contract/problem';
import { browserStorage } from '../../storage';
import { totalOfOrder } from './PaymentSummary';

const PREFIX = 'payment:';

/**
 * Stores, for each order, the id of the payment that this browser last tried to confirm. After a reload, the page
 * reports that payment. Client secrets are never stored.
 */
export const pendingPayments = {
  remember: (order: string, transactionId: string) => browserStorage.write(PREFIX + order, transactionId),
  recall: (order: string) => browserStorage.read(PREFIX + order),
  forget: (order: string) => browserStorage.remove(PREFIX + order),
};

/** The price that the customer has to accept before paying, or undefined if another failure or none happened. */
function newPriceOf(problem: Problem | undefined, { totalQuantity }: Order): number | undefined {
  if (problem?.code === 'price_changed') return Number(problem.meta?.['price']);
  return problem?.code === 'total_mismatch' ? Number(problem.meta?.['total']) / totalQuantity : undefined;
}

/**
 * Requests the payment's client secret when the page loads. If the order's price changes after that, requests it again
 * for the total that the customer has seen, and the server answers with the new price.
 */
export function usePaymentSecret(order: Order) {
  const { _id, toolId, totalQuantity } = order;
  const total = totalOfOrder(order);
  const [createIntent, { isSuccess, isLoading, error, originalArgs }] = useCreatePaymentIntentMutation();
  const [hasAcceptedPrice, setAcceptedPrice] = useState(false);
  const lastTotal = useRef<number>(undefined);
  const seenTotal = useRef<number>(undefined);
  const newPrice = newPriceOf(failureOf(error).problem, order);
  const requestSecret = useCallback(
    (totalPrice: number) => {
      seenTotal.current = totalPrice;
      void createIntent({ order: { _id, toolId }, totalPrice });
    },
    [createIntent, _id, toolId],
  );
  /** The order also gets another price after the customer has accepted it, which must not cause a second request. */
  useEffect(() => {
    if (lastTotal.current === total) return;
    lastTotal.current = total;
    const isKnown = total === seenTotal.current || total === (newPrice ?? 0) * totalQuantity;
    if (!isKnown) requestSecret(seenTotal.current ?? total);
  }, [requestSecret, total, newPrice, totalQuantity]);
  const requestedTotal = originalArgs?.totalPrice ?? total;

  return {
    secret: isSuccess ? clientSecrets.get(_id) : undefined,
    isLoading,
    error,
    newPrice,
    retry: () => requestSecret(requestedTotal),
    /** The total at the new price tells the server that the customer has accepted this price. */
    acceptPrice(price: number) {
      setAcceptedPrice(true);
      requestSecret(price * totalQuantity);
    },
    hasAcceptedPrice,
    /**
     * The order at the price for which the secret was requested. `order` gets an accepted price only when it is loaded
     * again.
     */
    orderAtPrice: { ...order, price: requestedTotal / totalQuantity },
  };
}

/** After other failures, reporting the payment again may succeed. */
const FINAL = ['changed', 'refused'];

/**
 * Reports a payment to the server. When the page loads, it reports a payment that an earlier visit could not report.
 */
export function usePaymentRecord(order: string) {
  const [reportPayment, { isLoading, error }] = usePayOrderMutation();
  const [transactionId, setTransactionId] = useState<string>();
  const [unreportedId] = useState(() => pendingPayments.recall(order) ?? undefined);

  const send = useCallback(
    async (intentId: string) => {
      const result = await reportPayment({ order, transactionId: intentId });
      if (!result.error || FINAL.includes(failureOf(result.error).kind)) pendingPayments.forget(order);
    },
    [order, reportPayment],
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
