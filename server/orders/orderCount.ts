import type { Db } from '../db/database';
import { orders } from '../db/schema';
import { isNotDeleted } from './orderQueries';

const MAX_AGE_MS = 1_000;

/** Counts all orders. Because counting a million takes 200 ms, the number can be a second old. */
export function createOrderCount(db: Db): () => Promise<number> {
  let counted: { at: number; number: Promise<number> } | undefined;
  return () => {
    if (counted && performance.now() - counted.at < MAX_AGE_MS) return counted.number;
    const number = Promise.resolve(db.$count(orders, isNotDeleted));
    counted = { at: performance.now(), number };
    number.catch(() => (counted = undefined));
    return number;
  };
}
