import { and, desc, eq, gte, sql, type SQL } from 'drizzle-orm';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { disputeObject } from './disputeObject';
import { rejectUnknownFields, readOptionalText, readSection, readRequiredText, readInteger, type Form } from './form';
import { chargesOf, intentObject } from './intentObject';
import { findIntent, rethrowAsParameterError } from './readIntent';
import { refundObject } from './refundObject';
import { invalidRequest } from './stripeErrors';
import { sandboxDisputes, sandboxIntents, sandboxRefunds } from './schema';

const MAX_LIMIT = 100;

function readLimit(form: Form): number {
  const limit = readInteger(form, 'limit') ?? 10;
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest(400, `Invalid limit: must be between 1 and ${MAX_LIMIT}`, undefined, 'limit');
  return limit;
}

/** @param found one object more than fits on the page, if there is another page */
const listResponse = (path: string, found: object[], limit: number) =>
  okResponse({ object: 'list', url: `/v1/${path}`, has_more: found.length > limit, data: found.slice(0, limit) });

type Listed = typeof sandboxIntents | typeof sandboxRefunds | typeof sandboxDisputes;

function createdSince(form: Form, table: Listed): SQL[] {
  const created = readSection(form, 'created');
  rejectUnknownFields(created, ['gte']);
  const second = readInteger(created, 'gte');
  return second === null ? [] : [gte(table.createdAt, new Date(second * 1000))];
}

function olderThan(form: Form, table: Listed): SQL[] {
  const id = readOptionalText(form, 'starting_after');
  if (id === null) return [];
  const cursor = sql`select ${table.createdAt}, ${table.id} from ${table} where ${table.id} = ${id}`;
  return [sql`(${table.createdAt}, ${table.id}) < (${cursor})`];
}

/** Lists intents newest first, in pages. */
export async function listIntents({ db, form }: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(form, ['limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(and(...createdSince(form, sandboxIntents), ...olderThan(form, sandboxIntents)))
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(limit + 1);
  return listResponse('payment_intents', rows.map(intentObject), limit);
}

/** Lists the charges of one intent newest first, including failed ones. */
export async function listCharges(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, ['payment_intent', 'limit']);
  const id = readRequiredText(call.form, 'payment_intent');
  const { row } = await findIntent({ ...call, id }).catch(rethrowAsParameterError(id));
  return listResponse('charges', chargesOf(row), readLimit(call.form));
}

/** Lists refunds newest first, in pages. */
export async function listRefunds(call: SandboxCall): Promise<SandboxResponse> {
  const { db, form } = call;
  rejectUnknownFields(form, ['payment_intent', 'limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const intentId = readOptionalText(form, 'payment_intent');
  if (intentId !== null) await findIntent({ ...call, id: intentId }).catch(rethrowAsParameterError(intentId));
  const ofIntent = intentId === null ? [] : [eq(sandboxRefunds.intentId, intentId)];
  const rows = await db
    .select({ refund: sandboxRefunds, intent: sandboxIntents })
    .from(sandboxRefunds)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxRefunds.intentId))
    .where(and(...ofIntent, ...createdSince(form, sandboxRefunds), ...olderThan(form, sandboxRefunds)))
    .orderBy(desc(sandboxRefunds.createdAt), desc(sandboxRefunds.id))
    .limit(limit + 1);
  const refunds = rows.map(({ refund, intent }) => refundObject(refund, intent));
  return listResponse('refunds', refunds, limit);
}

/** Lists disputes newest first, in pages. */
export async function listDisputes({ db, form }: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(form, ['limit', 'created', 'starting_after']);
  const limit = readLimit(form);
  const rows = await db
    .select({ dispute: sandboxDisputes, intent: sandboxIntents })
    .from(sandboxDisputes)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxDisputes.intentId))
    .where(and(...createdSince(form, sandboxDisputes), ...olderThan(form, sandboxDisputes)))
    .orderBy(desc(sandboxDisputes.createdAt), desc(sandboxDisputes.id))
    .limit(limit + 1);
  const disputes = rows.map(({ dispute, intent }) => disputeObject(dispute, intent));
  return listResponse('disputes', disputes, limit);
}
