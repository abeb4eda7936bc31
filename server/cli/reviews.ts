import { desc, eq } from 'drizzle-orm';
import { formatCount } from '../../src/contract/formatCount';
import { notifyServers } from '../catalog/catalog';
import { reviews, users } from '../db/schema';
import { normalizeEmail } from '../auth/emailAddress';
import { removeReview, removeReviewsBy } from '../catalog/reviews';
import { connectToShopDatabase, type ShopConnection } from './connectToShopDatabase';

const USAGE = 'Usage: npm run reviews -- list | remove ID | remove-by EMAIL';
const MAX_FIELD_CHARACTERS = 80;
/** Matches characters that would take effect in a terminal or be invisible in a table. */
const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

interface CommandResult {
  ok: boolean;
  sentence: string;
}

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
  return { ok: true, sentence: lines.join('\n') || 'There are no reviews.' };
}

async function remove(connection: ShopConnection, id: string): Promise<CommandResult> {
  if (!(await removeReview(connection.db, id))) return { ok: false, sentence: `There is no review ${id}.` };
  await notifyServers(connection.db, ['reviews']);
  return { ok: true, sentence: `Removed the review ${id}.` };
}

async function removeBy(connection: ShopConnection, typed: string): Promise<CommandResult> {
  const email = normalizeEmail(typed) ?? typed;
  const count = await removeReviewsBy(connection.db, email);
  if (count === undefined) return { ok: false, sentence: `No user has the email ${email}.` };
  if (count > 0) await notifyServers(connection.db, ['reviews']);
  return { ok: true, sentence: `Removed ${formatCount(count, 'review')} of ${email}.` };
}

function commandOf([name, argument, ...rest]: string[]):
  ((connection: ShopConnection) => Promise<CommandResult>) | undefined {
  if (rest.length > 0) return undefined;
  if (name === 'list' && argument === undefined) return list;
  if (name === 'remove' && argument) return (connection) => remove(connection, argument);
  if (name === 'remove-by' && argument) return (connection) => removeBy(connection, argument);
  return undefined;
}

/**
 * Checks no permissions, because only the operator can run this command.
 * @returns the exit code
 */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const command = commandOf(argv);
  if (!command) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  const connection = await connectToShopDatabase(env);
  try {
    const { ok, sentence } = await command(connection);
    (ok ? process.stdout : process.stderr).write(`${sentence}\n`);
    return ok ? 0 : 1;
  } finally {
    await connection.close();
  }
}
