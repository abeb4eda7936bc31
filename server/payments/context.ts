import type { Logger } from 'pino';
import type { Db } from '../db/database';
import { getOrCreateSecret, SHOP_NAME } from '../db/generatedSecrets';
import type { OrderCheckpoint, OrderContext } from '../orders/context';
import type { MailCheckpoint } from '../mail/context';
import type { PaymentProvider } from './provider';

/** Points at which a test runs a second request or kills the server. */
type PaymentCheckpoint =
  | 'begin payment'
  | 'create intent'
  | 'save intent'
  | 'give up attempt'
  | 'cancel declined intent'
  | 'answer intent'
  | 'settle'
  | 'commit settlement'
  | 'answer payment'
  | 'commit refund request'
  | 'send refund'
  | 'record refund'
  | 'commit refund'
  | 'delete order'
  | 'finish delete'
  | 'end hold'
  | 'delete marked order';

export type Checkpoint = OrderCheckpoint | PaymentCheckpoint | MailCheckpoint;

/** The dependencies of starting and settling payments and of ending holds. */
export interface PaymentContext extends OrderContext {
  provider: PaymentProvider;
  /** Other shops may share the provider's account. Only intents with this id in their metadata belong to this shop. */
  shopId: string;
  /** Succeeded intents that this server has not recorded yet. An intent stays here only for a moment. */
  unrecorded: Set<string>;
  log: Logger;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal;
  checkpoint: (step: Checkpoint) => Promise<void>;
}

/** The id is stored in the database, so all copies of the server share it. */
export const readShopId = (db: Db): Promise<string> => getOrCreateSecret(db, SHOP_NAME);
