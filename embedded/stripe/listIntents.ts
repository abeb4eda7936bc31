import { and, desc, gte, lt, sql, type SQL } from 'drizzle-orm';
import { sandboxIntents } from './schema';
import { ok, type Answer, type Call } from './call';
import { allow, optionalText, section, wholeNumber, type Form } from './form';
import { intentObject } from './intentObject';
import { readLimit } from './listLimit';

const SINCE = { gte: 0, gt: 1 };
const UNTIL = { lt: 0, lte: 1 };

/** In whole seconds, as the object's `created` says it. */
function createdWithin(form: Form): SQL[] {
  const created = section(form, 'created');
  allow(created, ['gte', 'gt', 'lt', 'lte']);
  const bounds = (names: Record<string, number>, of: (moment: Date) => SQL) =>
    Object.entries(names).flatMap(([name, later]) => {
      const second = wholeNumber(created, name);
      return second === null ? [] : [of(new Date((second + later) * 1000))];
    });
  const { createdAt } = sandboxIntents;
  return [...bounds(SINCE, (moment) => gte(createdAt, moment)), ...bounds(UNTIL, (moment) => lt(createdAt, moment))];
}

function after(id: string | null): SQL[] {
  if (id === null) return [];
  const { id: idColumn, createdAt } = sandboxIntents;
  const place = sql`select ${createdAt}, ${idColumn} from ${sandboxIntents} where ${idColumn} = ${id}`;
  return [sql`(${createdAt}, ${idColumn}) < (${place})`];
}

/** Newest first, a page at a time. */
export async function listIntents({ db, form }: Call): Promise<Answer> {
  allow(form, ['limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(and(...createdWithin(form), ...after(optionalText(form, 'starting_after'))))
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(limit + 1);
  const data = rows.slice(0, limit).map(intentObject);
  return ok({ object: 'list', url: '/v1/payment_intents', has_more: rows.length > limit, data });
}
