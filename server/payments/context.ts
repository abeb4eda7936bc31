import type { Logger } from 'pino';
import type { Db } from '../db/database';
import { ownSecret } from '../db/generatedSecrets';
import type { OrderCheckpoint, OrderContext } from '../orders/context';
import type { PaymentProvider } from './provider';

/** Steps at which a test runs a second request, or kills the server. */
type PaymentCheckpoint =
  | 'begin payment'
  | 'create intent'
  | 'keep intent'
  | 'give up attempt'
  | 'cancel declined intent'
  | 'answer intent'
  | 'settle'
  | 'commit settlement'
  | 'answer payment'
  | 'delete order'
  | 'finish delete'
  | 'end hold'
  | 'finish drop';

export type Checkpoint = OrderCheckpoint | PaymentCheckpoint;

/** What starting and settling payments needs, and ending holds. */
export interface PaymentContext extends OrderContext {
  provider: PaymentProvider;
  /** Other shops may share the provider's account: only intents that bear this id are this shop's. */
  shopId: string;
  /** Intents that this server has seen succeed and has not recorded yet: empty but for moments. */
  unrecorded: Set<string>;
  log: Logger;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal;
  checkpoint: (step: Checkpoint) => Promise<void>;
}

/** It is kept in the database, so it is the same for all copies of the server. */
export const readShopId = (db: Db): Promise<string> => ownSecret(db, 'shop-name');
