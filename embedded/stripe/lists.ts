import { and, desc, gte, lt, sql, type Column, type SQL } from 'drizzle-orm';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { rejectUnknownFields, readOptionalText, readSection, readRequiredText, readInteger, type Form } from './form';
import { chargesOf, intentObject } from './intentObject';
import { findPayment, withReversals } from './findPayment';
import { rethrowAsParameterError } from './readIntent';
import { invalidRequest, noSuchObject } from './stripeErrors';
import { sandboxIntents } from './schema';

const MAX_LIMIT = 100;

export function readLimit(form: Form): number {
  const limit = readInteger(form, 'limit') ?? 10;
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest(400, `Invalid limit: must be between 1 and ${MAX_LIMIT}`, undefined, 'limit');
  return limit;
}

const SINCE = { gte: 0, gt: 1 };
const UNTIL = { lt: 0, lte: 1 };

/**
 * Stripe's `created` is a whole second. `gt` leaves out all rows of the given second, and `lte` includes all of them.
 * So both compare with the start of the next second.
 */
export function createdWithin(form: Form, createdAt: Column): SQL[] {
  const created = readSection(form, 'created');
  rejectUnknownFields(created, ['gte', 'gt', 'lt', 'lte']);
  const bounds = (names: Record<string, number>, condition: (moment: Date) => SQL) =>
    Object.entries(names).flatMap(([name, offset]) => {
      const second = readInteger(created, name);
      return second === null ? [] : [condition(new Date((second + offset) * 1000))];
    });
  return [...bounds(SINCE, (moment) => gte(createdAt, moment)), ...bounds(UNTIL, (moment) => lt(createdAt, moment))];
}

function olderThan(id: string | null): SQL[] {
  if (id === null) return [];
  const { id: idColumn, createdAt } = sandboxIntents;
  const cursor = sql`select ${createdAt}, ${idColumn} from ${sandboxIntents} where ${idColumn} = ${id}`;
  return [sql`(${createdAt}, ${idColumn}) < (${cursor})`];
}

/** Lists intents newest first, in pages. */
export async function listIntents({ db, form }: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(form, ['limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(
      and(...createdWithin(form, sandboxIntents.createdAt), ...olderThan(readOptionalText(form, 'starting_after'))),
    )
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(limit + 1);
  const data = rows.slice(0, limit).map(intentObject);
  return okResponse({ object: 'list', url: '/v1/payment_intents', has_more: rows.length > limit, data });
}

/** Lists the charges of one intent newest first, including failed ones. */
export async function listCharges(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, ['payment_intent', 'limit', 'starting_after']);
  const id = readRequiredText(call.form, 'payment_intent');
  const limit = readLimit(call.form);
  const startingAfter = readOptionalText(call.form, 'starting_after');
  const payment = await findPayment({ ...call, id }).catch(rethrowAsParameterError(id));
  const charges = chargesOf(payment.row);
  const from = startingAfter === null ? 0 : charges.findIndex((charge) => charge.id === startingAfter) + 1;
  if (startingAfter !== null && from === 0) throw noSuchObject('charge', startingAfter, 'starting_after');
  const data = charges.slice(from, from + limit).map((charge) => withReversals(charge, payment));
  return okResponse({ object: 'list', url: '/v1/charges', has_more: charges.length > from + limit, data });
}
