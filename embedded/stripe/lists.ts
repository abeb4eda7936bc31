import { and, desc, gte, lt, sql, type SQL } from 'drizzle-orm';
import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { allow, optionalText, section, text, wholeNumber, type Form } from './form';
import { chargesOf, intentObject } from './intentObject';
import { findIntent } from './readIntent';
import { invalidRequest, noSuch, StripeErrorResponse } from './stripeErrors';
import { sandboxIntents } from './schema';

const MOST = 100;

function readLimit(form: Form): number {
  const limit = wholeNumber(form, 'limit') ?? 10;
  if (limit < 1 || limit > MOST)
    throw invalidRequest(400, `Invalid limit: must be between 1 and ${MOST}`, undefined, 'limit');
  return limit;
}

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

function olderThan(id: string | null): SQL[] {
  if (id === null) return [];
  const { id: idColumn, createdAt } = sandboxIntents;
  const place = sql`select ${createdAt}, ${idColumn} from ${sandboxIntents} where ${idColumn} = ${id}`;
  return [sql`(${createdAt}, ${idColumn}) < (${place})`];
}

/** Newest first, a page at a time. */
export async function listIntents({ db, form }: SandboxCall): Promise<SandboxAnswer> {
  allow(form, ['limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(and(...createdWithin(form), ...olderThan(optionalText(form, 'starting_after'))))
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(limit + 1);
  const data = rows.slice(0, limit).map(intentObject);
  return ok({ object: 'list', url: '/v1/payment_intents', has_more: rows.length > limit, data });
}

/** Stripe names the parameter that has the unknown id. */
const namesParameter = (id: string) => (error: unknown) => {
  throw error instanceof StripeErrorResponse ? noSuch('payment_intent', id, 'payment_intent') : error;
};

/** The charges of one intent, newest first: those that failed too. */
export async function listCharges(call: SandboxCall): Promise<SandboxAnswer> {
  allow(call.form, ['payment_intent', 'limit', 'starting_after']);
  const id = text(call.form, 'payment_intent');
  const limit = readLimit(call.form);
  const after = optionalText(call.form, 'starting_after');
  const { row } = await findIntent({ ...call, id }).catch(namesParameter(id));
  const charges = chargesOf(row);
  const from = after === null ? 0 : charges.findIndex((charge) => charge.id === after) + 1;
  if (after !== null && from === 0) throw noSuch('charge', after, 'starting_after');
  const data = charges.slice(from, from + limit);
  return ok({ object: 'list', url: '/v1/charges', has_more: charges.length > from + limit, data });
}
