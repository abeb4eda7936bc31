import { useCallback, useEffect } from 'react';
import { useCreatePaymentIntentMutation } from '../../api/apiSlice';
import { clientSecrets } from '../../api/secrets';

/** Asks for the payment's secret when the page loads. */
export function useSecret(order: string, totalPrice: number) {
  const [ask, { isSuccess, isLoading, error }] = useCreatePaymentIntentMutation();
  const askNow = useCallback(() => void ask({ order, totalPrice }), [ask, order, totalPrice]);
  useEffect(askNow, [askNow]);
  return { secret: isSuccess ? clientSecrets.get(order) : undefined, isAsking: isLoading, error, askAgain: askNow };
}
