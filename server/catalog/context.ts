import type { Db } from '../db/database';
import type { Settings } from '../settings/settings';
import type { Catalog } from './catalog';

/** The dependencies of changing tools. */
export interface CatalogContext {
  db: Db;
  catalog: Pick<Catalog, 'reportChange'>;
  settings: Pick<Settings, 'imgHosts' | 'publicUrl'>;
}
