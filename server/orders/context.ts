import type { Catalog } from '../catalog/catalog';
import type { Db } from '../db/database';
import type { Settings } from '../settings';

/** Points at which a test runs a second request. */
export type OrderCheckpoint = 'place order' | 'place unpriced order' | 'read list' | 'commit shipment' | 'commit offer';

/** The dependencies of placing orders. */
export interface OrderContext {
  db: Db;
  settings: Pick<Settings, 'holdHours' | 'maxUnpaidOrders' | 'offerHours' | 'refundLate' | 'mail' | 'databaseFeatures'>;
  catalog: Pick<Catalog, 'changed'>;
  now: () => Date;
  /** Called right before a named step. Tests wait or fail there. */
  checkpoint: (step: OrderCheckpoint) => Promise<void>;
}
