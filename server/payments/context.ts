import type { Logger } from 'pino';
import type { Db } from '../db/database';
import { getOrCreateSecret } from '../db/generatedSecrets';
import type { OrderCheckpoint, OrderContext } from '../orders/context';
import type { MailCheckpoint } from '../mail/context';
import type { PaymentProvider } from './provider';

/** The steps at which tests pause a payment, for example to run a second request or to kill the server. */
type PaymentCheckpoint =
  | 'begin payment'
  | 'create intent'
  | 'save intent'
  | 'record declines'
  | 'cancel declined intent'
  | 'settle'
  | 'send refund'
  | 'record refund'
  | 'delete order'
  | 'finish delete'
  | 'price order'
  | 'finish price'
  | 'end hold';

export type Checkpoint = OrderCheckpoint | PaymentCheckpoint | MailCheckpoint;

/** The dependencies of starting and settling payments and of ending holds. */
export interface PaymentContext extends OrderContext {
  provider: PaymentProvider;
  /**
   * The id of this shop, in the metadata of each of its intents. Other shops may use the same account at the provider.
   */
  shopId: string;
  /** Intents that this server has seen succeed and has not recorded yet. A metric counts them. */
  unrecorded: Set<string>;
  log: Logger;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal;
  checkpoint: (step: Checkpoint) => Promise<void>;
}

/**
 * All servers have the same id, because it is stored in the database. It distinguishes the shop from one that was
 * restored from its backup.
 */
export const readShopId = (db: Db): Promise<string> => getOrCreateSecret(db, 'shop-name');
