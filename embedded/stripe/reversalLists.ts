import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { disputeObject } from './disputeObject';
import { rejectUnknownFields, readOptionalText } from './form';
import { createdWithin, readLimit } from './lists';
import { findIntent, rethrowAsParameterError } from './readIntent';
import { refundObject } from './refundObject';
import { sandboxDisputes, sandboxIntents, sandboxRefunds } from './schema';
import { noSuchObject } from './stripeErrors';

type Table = typeof sandboxRefunds | typeof sandboxDisputes;
type Noun = 'refund' | 'dispute';

/** @param param the name of the parameter with the charge id, for Stripe's error. It depends on the call. */
export async function findIntentOfCharge({ db }: SandboxCall, charge: string, param: 'id' | 'charge'): Promise<string> {
  const [intent] = await db
    .select({ id: sandboxIntents.id })
    .from(sandboxIntents)
    .where(eq(sandboxIntents.chargeId, charge));
  if (!intent) throw noSuchObject('charge', charge, param);
  return intent.id;
}

async function readIntentFilter(call: SandboxCall): Promise<string[]> {
  const id = readOptionalText(call.form, 'payment_intent');
  const charge = readOptionalText(call.form, 'charge');
  if (id !== null) await findIntent({ ...call, id }).catch(rethrowAsParameterError(id));
  const intentOfCharge = charge === null ? null : await findIntentOfCharge(call, charge, 'charge');
  return [id, intentOfCharge].filter((found) => found !== null);
}

async function olderThan({ db, form }: SandboxCall, table: Table, noun: Noun): Promise<SQL[]> {
  const id = readOptionalText(form, 'starting_after');
  if (id === null) return [];
  const [cursor] = await db.select({ id: table.id }).from(table).where(eq(table.id, id));
  if (!cursor) throw noSuchObject(noun, id, 'starting_after');
  return [
    sql`(${table.createdAt}, ${table.id}) < (select ${table.createdAt}, ${table.id} from ${table} where id = ${id})`,
  ];
}

/** The returned `limit` is one row more than fits on a page, to find out whether there is another page. */
async function readListQuery(call: SandboxCall, table: Table, noun: Noun) {
  rejectUnknownFields(call.form, ['payment_intent', 'charge', 'created', 'limit', 'starting_after']);
  const limit = readLimit(call.form);
  const intents = (await readIntentFilter(call)).map((id) => eq(table.intentId, id));
  const where = and(...intents, ...createdWithin(call.form, table.createdAt), ...(await olderThan(call, table, noun)));
  const toResponse = (objects: object[]) =>
    okResponse({
      object: 'list',
      url: `/v1/${noun}s`,
      has_more: objects.length > limit,
      data: objects.slice(0, limit),
    });
  return { where, limit: limit + 1, order: [desc(table.createdAt), desc(table.id)], toResponse };
}

const selectRefunds = (db: SandboxCall['db']) =>
  db
    .select({ refund: sandboxRefunds, intent: sandboxIntents })
    .from(sandboxRefunds)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxRefunds.intentId));

const selectDisputes = (db: SandboxCall['db']) =>
  db
    .select({ dispute: sandboxDisputes, intent: sandboxIntents })
    .from(sandboxDisputes)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxDisputes.intentId));

export async function listRefunds(call: SandboxCall): Promise<SandboxResponse> {
  const { where, limit, order, toResponse } = await readListQuery(call, sandboxRefunds, 'refund');
  const rows = await selectRefunds(call.db)
    .where(where)
    .orderBy(...order)
    .limit(limit);
  return toResponse(rows.map(({ refund, intent }) => refundObject(refund, intent)));
}

export async function listDisputes(call: SandboxCall): Promise<SandboxResponse> {
  const { where, limit, order, toResponse } = await readListQuery(call, sandboxDisputes, 'dispute');
  const rows = await selectDisputes(call.db)
    .where(where)
    .orderBy(...order)
    .limit(limit);
  return toResponse(rows.map(({ dispute, intent }) => disputeObject(dispute, intent)));
}

export async function readRefund({ db, form, id }: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(form);
  const [found] = await selectRefunds(db).where(eq(sandboxRefunds.id, id));
  if (!found) throw noSuchObject('refund', id, 'refund');
  return okResponse(refundObject(found.refund, found.intent));
}

export async function readDispute({ db, form, id }: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(form);
  const [found] = await selectDisputes(db).where(eq(sandboxDisputes.id, id));
  if (!found) throw noSuchObject('dispute', id, 'dispute');
  return okResponse(disputeObject(found.dispute, found.intent));
}
