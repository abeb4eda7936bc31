import { desc, eq } from 'drizzle-orm';
import { formatCount } from '../../src/contract/formatCount';
import { notifyServers } from '../catalog/catalog';
import { reviews, users } from '../db/schema';
import { normalizeEmail } from '../auth/emailAddress';
import { removeReview, removeReviewsBy } from '../catalog/reviews';
import type { Env } from '../settings/readers';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = 'Usage: npm run reviews -- list | remove ID | remove-by EMAIL';
const MAX_FIELD_CHARACTERS = 80;
/** Matches characters that would take effect in a terminal or be invisible in a table. */
const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

const toPrintable = (text: string) => [...text.replace(UNPRINTABLE, ' ')].slice(0, MAX_FIELD_CHARACTERS).join('');

async function list({ db }: ShopConnection): Promise<CommandResult> {
  const { id, name, description, ratings, createdAt } = reviews;
  const rows = await db
    .select({ id, name, description, ratings, createdAt, email: users.email })
    .from(reviews)
    .leftJoin(users, eq(users.id, reviews.authorId))
    .orderBy(desc(reviews.position));
  const lines = rows.map(({ createdAt: at, email, ...row }) =>
    [row.id, at.toISOString(), email ?? '-', toPrintable(row.name), row.ratings, toPrintable(row.description)].join(
      '\t',
    ),
  );
  return succeeded(lines.join('\n') || 'There are no reviews.');
}

async function remove(connection: ShopConnection, id: string): Promise<CommandResult> {
  if (!(await removeReview(connection.db, id))) return failed(`There is no review ${id}.`);
  await notifyServers(connection.db, ['reviews']);
  return succeeded(`Removed the review ${id}.`);
}

async function removeBy(connection: ShopConnection, typed: string): Promise<CommandResult> {
  const email = normalizeEmail(typed) ?? typed;
  const count = await removeReviewsBy(connection.db, email);
  if (count === undefined) return failed(`No user has the email ${email}.`);
  if (count > 0) await notifyServers(connection.db, ['reviews']);
  return succeeded(`Removed ${formatCount(count, 'review')} of ${email}.`);
}

export const main = (argv: string[], env: Env): Promise<number> =>
  runCommand({ list, remove, 'remove-by': removeBy }, USAGE, argv, env);
