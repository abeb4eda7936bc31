import { act, renderHook, waitFor } from '@testing-library/react';
import { useStripeLoader } from '../../../src/features/payment/stripe';

const SANDBOX = { kind: 'sandbox', publishableKey: 'pk_test_1' } as const;
const scripts = () => document.querySelectorAll('script[src="/v1/sandbox/stripe.js"]');

test("a payment page that is left and opened again loads the provider's script once, and again after a failure", async () => {
  renderHook(() => useStripeLoader(SANDBOX)).unmount();
  const { result } = renderHook(() => useStripeLoader(SANDBOX));
  expect(scripts()).toHaveLength(1);
  scripts()[0]!.dispatchEvent(new Event('error'));
  await waitFor(() => expect(result.current.failed).toBe(true));
  act(() => result.current.tryAgain());
  expect(scripts()).toHaveLength(1);
});
