import { useCallback, useEffect, useState } from 'react';
import { usePayOrderMutation } from '../../api/apiSlice';
import { failureOf } from '../../contract/problem';
import { pending } from './pending';

/** The server has said its last word on this payment. */
const isFinal = (error: unknown) => {
  const { status } = failureOf(error);
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 429;
};

/** Tells the server what was paid, as often as it takes; a payment that another visit began is told at once. */
export function useRecord(order: string) {
  const [pay, { isLoading, error }] = usePayOrderMutation();
  const [transactionId, setTransactionId] = useState<string>();

  const tell = useCallback(
    async (paid: string) => {
      const answer = await pay({ order, transactionId: paid });
      if (!answer.error || isFinal(answer.error)) pending.forget(order);
    },
    [order, pay],
  );
  useEffect(() => {
    const begun = pending.recall(order);
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

export type PaymentRecord = ReturnType<typeof useRecord>;
