import { asc, desc, eq, sql } from 'drizzle-orm';
import type { Review, Tool } from '../../src/contract/entities';
import type { Db, Tx } from '../db/database';
import { reviews, tools } from '../db/schema';
import type { RowSource } from './cachedList';

export type CatalogTable = 'tools' | 'reviews';
export const CATALOG_TABLES: CatalogTable[] = ['tools', 'reviews'];
export const isCatalogTable = (name: string | undefined): name is CatalogTable =>
  (CATALOG_TABLES as (string | undefined)[]).includes(name);

const shownToolColumns = {
  _id: tools.id,
  name: tools.name,
  price: tools.price,
  minimumOrderQuantity: tools.minimumOrderQuantity,
  availableQuantity: tools.availableQuantity,
  description: tools.description,
  img: tools.img,
  onSale: tools.onSale,
};
const toolColumns = { position: tools.position, ...shownToolColumns };
const reviewColumns = {
  position: reviews.position,
  _id: reviews.id,
  name: reviews.name,
  description: reviews.description,
  ratings: reviews.ratings,
  img: reviews.img,
};
/** Leaves out `onSale` if it is true, because most tools are for sale. */
const omitOnSale = <Row extends { onSale: boolean }>({ onSale, ...row }: Row) =>
  onSale ? row : { ...row, onSale: false as const };

/** Includes tools that are not for sale. The tool that was added first is first. */
export async function listAllTools(db: Db): Promise<Tool[]> {
  return (await db.select(shownToolColumns).from(tools).orderBy(tools.position)).map(omitOnSale);
}

export async function readTool(db: Db | Tx, id: string): Promise<Tool> {
  const [row] = await db.select(shownToolColumns).from(tools).where(eq(tools.id, id));
  return omitOnSale(row!);
}

const ids = sql.placeholder('ids');

export function createToolSource(db: Db): RowSource<Tool> {
  const all = db.select(toolColumns).from(tools).orderBy(asc(tools.position)).prepare('all tools');
  const some = db
    .select(toolColumns)
    .from(tools)
    .where(sql`${tools.id} = any(${ids}::uuid[])`)
    .prepare('some tools');
  return {
    read: async (wanted) => (await (wanted ? some.execute({ ids: wanted }) : all.execute())).map(omitOnSale),
    newestFirst: false,
  };
}

export function createReviewSource(db: Db): RowSource<Review> {
  const all = db.select(reviewColumns).from(reviews).orderBy(desc(reviews.position)).prepare('all reviews');
  const some = db
    .select(reviewColumns)
    .from(reviews)
    .where(sql`${reviews.id} = any(${ids}::uuid[])`)
    .prepare('some reviews');
  return { read: (wanted) => (wanted ? some.execute({ ids: wanted }) : all.execute()), newestFirst: true };
}
