import type { Db } from '../db/database';
import { ownSecret } from '../db/generatedSecrets';
import { UUID } from '../http/textValidation';
import type { PaymentIntent } from './provider';

const APP = 'forgeline';
const known = new WeakMap<Db, Promise<string>>();

/** Other shops may share the provider's account: only what bears this name is ours. It is kept in the database. */
function shopName(db: Db): Promise<string> {
  const found = known.get(db);
  if (found) return found;
  const reading = ownSecret(db, 'shop-name');
  known.set(db, reading);
  reading.catch(() => known.delete(db));
  return reading;
}

export async function markOf(db: Db, orderId: string, n: number): Promise<Record<string, string>> {
  return { app: APP, shop: await shopName(db), order_id: orderId, attempt: String(n) };
}

export async function isOurs(db: Db, { metadata }: PaymentIntent): Promise<boolean> {
  return metadata['app'] === APP && metadata['shop'] === (await shopName(db)) && UUID.test(metadata['order_id'] ?? '');
}

export const orderOf = ({ metadata }: PaymentIntent) => metadata['order_id']!;
export const attemptOf = ({ metadata }: PaymentIntent) => Number(metadata['attempt'] ?? 0);
