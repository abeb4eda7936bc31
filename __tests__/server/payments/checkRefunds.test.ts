import { checkOpenRefunds } from '../../../server/payments/checkRefunds';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { collectLog } from '../../support/shop';
import { endFaults, failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

const log = collectLog();
let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit({ logger: log.logger });
});
afterAll(() => kit.close());

/** Requests refunds that the provider does not make yet, and advances the clock until the sweep sends them again. */
async function requestTwoRefunds() {
  const paidOrders = [await kit.createPaidOrder(), await kit.createPaidOrder()];
  failRefunds(kit, { status: 500 });
  for (const { id } of paidOrders) await kit.requestRefund(id);
  await endFaults(kit);
  kit.control.offsetMs += 61_000;
  return paidOrders;
}

const statesOf = (orders: { id: string }[]) =>
  Promise.all(orders.map(async ({ id }) => (await kit.readOrder(id)).status));
const withRefunds = (createRefund: RefundTestKit['provider']['createRefund']) => ({
  ...kit.deps,
  provider: { ...kit.provider, createRefund },
});

describe('The check of requested refunds', () => {
  it('sends a single request to a provider that is down', async () => {
    const paidOrders = await requestTwoRefunds();
    const createRefund = jest.fn(() => Promise.reject(new PaymentProviderDown()));
    await expect(checkOpenRefunds(withRefunds(createRefund))).rejects.toThrow(PaymentProviderDown);
    expect(createRefund).toHaveBeenCalledTimes(1);
    await kit.sweep();
    expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
  });

  it('still makes all other refunds if one cannot be made, and logs which one failed and why', async () => {
    const paidOrders = await requestTwoRefunds();
    const createRefund = jest.fn(kit.provider.createRefund);
    createRefund.mockRejectedValueOnce(new Error('a simulated failure'));
    await checkOpenRefunds(withRefunds(createRefund));
    expect((await statesOf(paidOrders)).sort()).toEqual(['paid', 'refunded']);
    const { err, intentId } = log.linesOf('could not check refund').at(-1)!;
    expect([err, paidOrders.map((paidOrder) => paidOrder.intentId)]).toEqual([
      expect.objectContaining({ message: 'a simulated failure' }),
      expect.arrayContaining([intentId]),
    ]);
    await kit.sweep();
    expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
  });
});

it('a refund that the provider refuses is logged with the code of its error', async () => {
  const { id, intentId } = await kit.createPaidOrder();
  failRefunds(kit, { status: 400 }, 1);
  await kit.requestRefund(id);
  expect(log.linesOf('refund refused')).toMatchObject([{ level: 50, intentId, code: expect.any(String) as string }]);
});
