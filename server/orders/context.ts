import type { Catalog } from '../catalog/catalog';
import type { Db } from '../db/database';
import type { Settings } from '../settings/settings';

/** The steps at which tests pause an order, for example to run a second request. */
export type OrderCheckpoint = 'place order' | 'read list';

/** The dependencies of placing and changing orders. */
export interface OrderContext {
  db: Db;
  settings: Pick<Settings, 'holdHours' | 'maxUnpaidOrders' | 'offerHours' | 'refundLate' | 'mail' | 'rateLimit'>;
  catalog: Pick<Catalog, 'reportChange'>;
  now: () => Date;
  /** Called right before the named step. In tests it can wait or throw. */
  checkpoint: (step: OrderCheckpoint) => Promise<void>;
}
