import { and, eq, sql } from 'drizzle-orm';
import type { Review, Tool } from '../../src/contract/entities';
import type { Db, Tx } from '../db/database';
import { reviews, tools } from '../db/schema';

const toolColumns = {
  _id: tools.id,
  name: tools.name,
  price: tools.price,
  minimumOrderQuantity: tools.minimumOrderQuantity,
  availableQuantity: tools.availableQuantity,
  description: tools.description,
  img: tools.img,
  onSale: tools.onSale,
};
const reviewColumns = {
  _id: reviews.id,
  name: reviews.name,
  description: reviews.description,
  ratings: reviews.ratings,
  img: reviews.img,
  toolId: tools.id,
  toolName: tools.name,
};
/** Leaves out `onSale` if it is true, because most tools are for sale. */
const omitOnSale = <Row extends { onSale: boolean }>({ onSale, ...row }: Row) =>
  onSale ? row : { ...row, onSale: false as const };

/** Includes tools that are not for sale. The tool that was added first is first. */
export async function listAllTools(db: Db): Promise<Tool[]> {
  return (await db.select(toolColumns).from(tools).orderBy(tools.position)).map(omitOnSale);
}

export const listToolRows = (db: Db) => db.select().from(tools).orderBy(tools.position);

export async function readTool(db: Db | Tx, id: string): Promise<Tool> {
  const [row] = await db.select(toolColumns).from(tools).where(eq(tools.id, id));
  return omitOnSale(row!);
}

/** A row, and its place in the list. */
export interface Placed<Row> {
  place: number;
  row: Row;
}

/** @param ids undefined reads all rows */
export async function readTools(db: Db, ids?: string[]): Promise<Placed<Tool>[]> {
  const isWanted = ids && sql`${tools.id} = any(${sql.param(ids)}::uuid[])`;
  const rows = await db.select({ place: tools.position, row: toolColumns }).from(tools).where(isWanted);
  return rows.map(({ place, row }) => ({ place, row: omitOnSale(row) }));
}

const omitTool = ({
  toolId,
  toolName,
  ...row
}: Omit<Review, 'toolId' | 'toolName'> & Record<'toolId' | 'toolName', string | null>): Review =>
  toolId === null || toolName === null ? row : { ...row, toolId, toolName };

/** The newest review is first. */
export async function readReviews(db: Db | Tx, ids?: string[]): Promise<Placed<Review>[]> {
  const isWanted = ids && sql`${reviews.id} = any(${sql.param(ids)}::uuid[])`;
  const place = sql`-${reviews.position}`.mapWith(Number);
  const isForSale = and(eq(tools.id, reviews.toolId), tools.onSale);
  const rows = await db.select({ place, row: reviewColumns }).from(reviews).leftJoin(tools, isForSale).where(isWanted);
  return rows.map(({ place, row }) => ({ place, row: omitTool(row) }));
}
