import { asc, desc, sql } from 'drizzle-orm';
import type { Review, Tool } from '../../src/contract/entities';
import type { Db } from '../db/database';
import { reviews, tools } from '../db/schema';
import type { RowSource } from './cachedList';

export type CatalogTable = 'tools' | 'reviews';
export const CATALOG_TABLES: CatalogTable[] = ['tools', 'reviews'];
export const isCatalogTable = (name: string | undefined): name is CatalogTable =>
  (CATALOG_TABLES as (string | undefined)[]).includes(name);

const toolColumns = {
  position: tools.position,
  _id: tools.id,
  name: tools.name,
  price: tools.price,
  minimumOrderQuantity: tools.minimumOrderQuantity,
  availableQuantity: tools.availableQuantity,
  description: tools.description,
  img: tools.img,
};
const reviewColumns = {
  position: reviews.position,
  _id: reviews.id,
  name: reviews.name,
  description: reviews.description,
  ratings: reviews.ratings,
  img: reviews.img,
};
const ids = sql.placeholder('ids');

export function toolSource(db: Db): RowSource<Tool> {
  const all = db.select(toolColumns).from(tools).orderBy(asc(tools.position)).prepare('all tools');
  const some = db
    .select(toolColumns)
    .from(tools)
    .where(sql`${tools.id} = any(${ids}::uuid[])`)
    .prepare('some tools');
  return { read: (wanted) => (wanted ? some.execute({ ids: wanted }) : all.execute()), newestFirst: false };
}

export function reviewSource(db: Db): RowSource<Review> {
  const all = db.select(reviewColumns).from(reviews).orderBy(desc(reviews.position)).prepare('all reviews');
  const some = db
    .select(reviewColumns)
    .from(reviews)
    .where(sql`${reviews.id} = any(${ids}::uuid[])`)
    .prepare('some reviews');
  return { read: (wanted) => (wanted ? some.execute({ ids: wanted }) : all.execute()), newestFirst: true };
}
