import type { ReactNode } from 'react';
import { act, renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { giveUpResends, watchResends } from '../../../src/api/resends';
import { createStore } from '../../../src/app/store';
import type { Order } from '../../../src/contract/entities';
import { pendingPayments, usePaymentRecord, usePaymentSecret } from '../../../src/features/payment/usePayment';
import { replaceFetch } from '../../support/pageCalls';

const ORDER = { _id: 'order-1', price: 18, totalQuantity: 20 } as Order;

type Answer = { status: number; body?: object } | undefined;

/**
 * Answers every request in this way, or not at all.
 * @returns the requests with their bodies
 */
function answerCalls(answer: () => Answer): unknown[] {
  const sent: unknown[] = [];
  replaceFetch(() => async (input) => {
    const request = input as Request;
    const { pathname, search } = new URL(request.url);
    sent.push([`${request.method} ${pathname}${search}`, await request.clone().json()]);
    const result = answer();
    if (!result) throw new TypeError('no network');
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(result.body ?? {}), { status: result.status, headers });
  });
  return sent;
}

const newWrapper = () => {
  const store = createStore({ renew: () => Promise.resolve(false) });
  return ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
};

beforeEach(() => localStorage.clear());

describe('A payment that an earlier visit could not report', () => {
  const problem = (status: number, code: string, meta?: object) => ({ code, status, detail: 'No.', meta });

  test.each<[string, Answer, isKept: boolean]>([
    ['with success', { status: 200 }, false],
    ['with 400', { status: 400 }, false],
    ['with 404', { status: 404 }, false],
    ['with 499', { status: 499 }, false],
    ['with 401, which ends with the next login', { status: 401 }, true],
    ['with 429, which ends soon', { status: 429 }, true],
    ['with 500', { status: 500 }, true],
    ['with 503', { status: 503, body: problem(503, 'overloaded') }, true],
    ['not at all, and the customer gives up', undefined, true],
  ])(
    'is reported again, and if that is answered %s, the next visit reports it or not',
    async (_how, answer, isKept) => {
      pendingPayments.remember('order-1', 'pi_1');
      pendingPayments.remember('order-2', 'pi_2');
      const sent = answerCalls(() => answer);
      const { result } = renderHook(() => usePaymentRecord('order-1'), { wrapper: newWrapper() });
      expect(result.current.unreportedId).toBe('pi_1');
      if (!answer) watchResends(giveUpResends);
      await waitFor(() => expect(result.current.failed).toBe(answer?.status !== 200));
      await waitFor(() => expect([sent.length, result.current.isSending]).toEqual([1, false]));
      await waitFor(() => expect(pendingPayments.recall('order-1')).toBe(isKept ? 'pi_1' : null));
      expect(sent).toEqual([['PATCH /order/order-1', { order: 'order-1', transactionId: 'pi_1' }]]);
      expect([result.current.refundCode, pendingPayments.recall('order-2')]).toEqual([undefined, 'pi_2']);
    },
  );

  test.each<[string, object, string | undefined]>([
    ['will be refunded', problem(409, 'payment_returned', { code: 'abcd1234' }), 'abcd1234'],
    ['will be refunded, without a code', problem(409, 'payment_returned', {}), ''],
    ['will be refunded, without details', problem(409, 'payment_returned'), ''],
    ['is refused for another reason', problem(409, 'other', { code: 'abcd1234' }), undefined],
  ])('and that %s leads to the right refund code', async (_reason, body, refundCode) => {
    pendingPayments.remember('order-1', 'pi_1');
    answerCalls(() => ({ status: 409, body }));
    const { result } = renderHook(() => usePaymentRecord('order-1'), { wrapper: newWrapper() });
    await waitFor(() => expect(result.current.failed).toBe(true));
    expect(result.current.refundCode).toBe(refundCode);
  });
});

test('a payment page without an unreported payment reports only the payment that is made there, and can retry', async () => {
  let answer: Answer = { status: 500 };
  const sent = answerCalls(() => answer);
  const { result } = renderHook(() => usePaymentRecord('order-1'), { wrapper: newWrapper() });
  act(() => void result.current.retry());
  expect([sent, result.current.unreportedId, result.current.failed]).toEqual([[], undefined, false]);
  act(() => result.current.reportPaid('pi_3'));
  await waitFor(() => expect(result.current.failed).toBe(true));
  answer = { status: 200 };
  act(() => void result.current.retry());
  await waitFor(() => expect(result.current.failed).toBe(false));
  const report = ['PATCH /order/order-1', { order: 'order-1', transactionId: 'pi_3' }];
  expect([sent, result.current.transactionId]).toEqual([[report, report], 'pi_3']);
});

test('a payment is requested for the total that the customer has seen, again if the order gets another price', async () => {
  let answer: Answer = { status: 200, body: { order: 'order-1', clientSecret: 'pi_1_secret_2' } };
  const sent = answerCalls(() => answer);
  const request = (totalPrice: number) => ['POST /create-payment-intent?order=order-1', { totalPrice }];
  const options = { wrapper: newWrapper(), initialProps: ORDER };
  const { result, rerender } = renderHook(usePaymentSecret, options);
  await waitFor(() => expect(result.current.secret).toBe('pi_1_secret_2'));
  rerender({ ...ORDER });
  expect(sent.splice(0)).toEqual([request(360)]);
  expect([result.current.orderAtPrice.price, result.current.hasAcceptedPrice]).toEqual([18, false]);

  answer = { status: 500 };
  act(() => result.current.acceptPrice(20));
  await waitFor(() => expect(result.current.error).toBeDefined());
  expect([result.current.secret, result.current.hasAcceptedPrice]).toEqual([undefined, true]);
  act(() => result.current.retry());
  await waitFor(() => expect(sent).toEqual([request(400), request(400)]));
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  expect([result.current.orderAtPrice.price, result.current.hasAcceptedPrice]).toEqual([20, true]);

  rerender({ ...ORDER, price: 20 });
  await act(() => Promise.resolve());
  expect(sent.splice(0)).toHaveLength(2);
  answer = { status: 409, body: { code: 'total_mismatch', status: 409, detail: 'No.', meta: { total: 500 } } };
  rerender({ ...ORDER, price: 25 });
  await waitFor(() => expect(result.current.newPrice).toBe(25));
  rerender({ ...ORDER, price: 25 });
  expect([sent.splice(0), result.current.orderAtPrice.price]).toEqual([[request(400)], 20]);

  answer = { status: 409, body: { code: 'price_changed', status: 409, detail: 'No.', meta: { price: 30 } } };
  act(() => result.current.acceptPrice(25));
  await waitFor(() => expect(result.current.newPrice).toBe(30));
  answer = { status: 200, body: { order: 'order-1', clientSecret: 'pi_1_secret_3' } };
  act(() => result.current.acceptPrice(30));
  await waitFor(() => expect(result.current.secret).toBe('pi_1_secret_3'));
  rerender({ ...ORDER, price: 30 });
  await act(() => Promise.resolve());
  expect(sent).toEqual([request(500), request(600)]);
});
