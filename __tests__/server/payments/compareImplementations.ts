import { randomUUID } from 'node:crypto';
import type { ProblemError } from '../../../server/http/problems';
import { type OrderStateSetup, type OrderUnderTest, rowsOf } from './orderStates';
import type { PaymentTestKit } from '../../support/payments';

export async function createOrderUnderTest(testKit: PaymentTestKit, change: OrderStateSetup): Promise<OrderUnderTest> {
  const { order, tool, customer } = await testKit.createUnpaidOrder({ quantity: 2, price: 7 });
  const subject = {
    order: order._id,
    tool: tool.id,
    owner: customer.id,
    intent: `pi_${randomUUID().replaceAll('-', '')}`,
  };
  for (const statement of change(subject)) await testKit.queryRows(statement);
  return subject;
}

/** @returns what `name` returns for the result of the work, or the code of the error with which the work failed */
async function resultOf<T>(work: () => Promise<T>, name: (result: T) => string): Promise<string> {
  try {
    return name(await work());
  } catch (error) {
    const { code } = error as ProblemError;
    if (!code) throw error;
    return code;
  }
}

export interface Implementations<T> {
  statement: (subject: OrderUnderTest) => Promise<T | undefined>;
  transaction: (subject: OrderUnderTest) => Promise<T>;
  name: (result: T) => string;
}

/**
 * For one order, runs the single statement and, if it returns nothing, the transaction, as the shop does. For another
 * order in the same state, runs only the transaction.
 */
export async function compareImplementations<T>(
  testKit: PaymentTestKit,
  change: OrderStateSetup,
  { statement, transaction, name }: Implementations<T>,
) {
  const [first, second] = [await createOrderUnderTest(testKit, change), await createOrderUnderTest(testKit, change)];
  const before = await rowsOf(testKit, first);
  const statementResult = await statement(first);
  const afterStatement = await rowsOf(testKit, first);
  const result = statementResult ? name(statementResult) : await resultOf(() => transaction(first), name);
  const alone = await resultOf(() => transaction(second), name);
  return {
    result,
    alone,
    by: statementResult ? 'statement' : 'transaction',
    isTouched: JSON.stringify(before) !== JSON.stringify(afterStatement),
    rows: [await rowsOf(testKit, first), await rowsOf(testKit, second)],
  };
}

export function expectEqualOutcomes({
  result,
  alone,
  by,
  isTouched,
  rows,
}: Awaited<ReturnType<typeof compareImplementations>>) {
  expect(alone).toBe(result);
  expect(rows[0]).toEqual(rows[1]);
  expect(isTouched).toBe(by === 'statement');
}
