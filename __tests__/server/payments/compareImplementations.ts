import { randomUUID } from 'node:crypto';
import type { ProblemError } from '../../../server/http/problems';
import { type OrderStateSetup, type OrderUnderTest, rowsOf } from './orderStates';
import type { PaymentTestKit } from '../../support/payments';

export async function createOrderUnderTest(
  testKit: PaymentTestKit,
  setUpState: OrderStateSetup,
): Promise<OrderUnderTest> {
  const { order, tool, customer } = await testKit.createUnpaidOrder({ quantity: 2, price: 7 });
  const subject = {
    order: order._id,
    tool: tool.id,
    owner: customer.id,
    intent: `pi_${randomUUID().replaceAll('-', '')}`,
  };
  for (const statement of setUpState(subject)) await testKit.queryRows(statement);
  return subject;
}

/** @returns the description of the result of the work, or the code of the error with which the work failed */
async function resultOf<T>(work: () => Promise<T>, describeResult: (result: T) => string): Promise<string> {
  try {
    return describeResult(await work());
  } catch (error) {
    const { code } = error as ProblemError;
    if (!code) throw error;
    return code;
  }
}

export interface Implementations<T> {
  statement: (subject: OrderUnderTest) => Promise<T | undefined>;
  transaction: (subject: OrderUnderTest) => Promise<T>;
  describeResult: (result: T) => string;
}

/**
 * For one order, runs the single statement and, if it returns nothing, the transaction, as the shop does. For another
 * order in the same state, runs only the transaction.
 */
export async function compareImplementations<T>(
  testKit: PaymentTestKit,
  setUpState: OrderStateSetup,
  { statement, transaction, describeResult }: Implementations<T>,
) {
  const [first, second] = [
    await createOrderUnderTest(testKit, setUpState),
    await createOrderUnderTest(testKit, setUpState),
  ];
  const before = await rowsOf(testKit, first);
  const statementResult = await statement(first);
  const afterStatement = await rowsOf(testKit, first);
  const result = statementResult
    ? describeResult(statementResult)
    : await resultOf(() => transaction(first), describeResult);
  const transactionResult = await resultOf(() => transaction(second), describeResult);
  return {
    result,
    transactionResult,
    doneBy: statementResult ? 'statement' : 'transaction',
    hasStatementWritten: JSON.stringify(before) !== JSON.stringify(afterStatement),
    rows: [await rowsOf(testKit, first), await rowsOf(testKit, second)],
  };
}

export function expectEqualOutcomes({
  result,
  transactionResult,
  doneBy,
  hasStatementWritten,
  rows,
}: Awaited<ReturnType<typeof compareImplementations>>) {
  expect(transactionResult).toBe(result);
  expect(rows[0]).toEqual(rows[1]);
  expect(hasStatementWritten).toBe(doneBy === 'statement');
}
