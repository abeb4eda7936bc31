import { eq, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './sandboxOptions';
import { sandboxDisputes, sandboxEvents, sandboxIdempotency, sandboxIntents, sandboxPaymentMethods } from './schema';

type Queries = Pick<Db, 'select' | 'update'>;

/** A person, by their payments and by the email that they entered with their card. */
export interface Payer {
  intentIds: string[];
  email: string;
}

/** The fields of Stripe's objects that have a name, an address, a phone number or an email. */
const PERSONAL_FIELDS = ['billing_details', 'evidence', 'receipt_email', 'receiptEmail', 'shipping'];

const mapFields = (value: object, map: (field: unknown, name: string) => unknown): unknown =>
  Array.isArray(value)
    ? value.map((item, index) => map(item, String(index)))
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field, name)]));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const blank = (value: unknown): unknown => (isObject(value) ? mapFields(value, blank) : null);
const withoutPersonalFields = (value: unknown): unknown =>
  isObject(value)
    ? mapFields(value, (field, name) => (PERSONAL_FIELDS.includes(name) ? blank(field) : withoutPersonalFields(field)))
    : value;

interface BodyTable extends PgTable {
  body: AnyPgColumn;
}
interface PersonalBodies {
  table: BodyTable;
  key: AnyPgColumn;
  belongsTo: (payer: Payer) => SQL;
  /** Other columns to write with the body. */
  change?: Record<string, SQL>;
}

const hasEmail = (details: SQL, { email }: Payer) => sql`lower(${details}->>'email') = ${email}`;
const isOf = (column: SQL | AnyPgColumn, { intentIds }: Payer) => sql`${column} = any(${sql.param(intentIds)}::text[])`;

/** The JSON columns with personal data. All that a person's payments have in common is the id of an intent. */
const PERSONAL_BODIES: PersonalBodies[] = [
  {
    table: sandboxPaymentMethods,
    key: sandboxPaymentMethods.id,
    belongsTo: (payer) => sql`(${hasEmail(sql`${sandboxPaymentMethods.body}->'billing_details'`, payer)}
      or ${sandboxPaymentMethods.id} in (
        select ${sandboxIntents.paymentMethodId} from ${sandboxIntents} where ${isOf(sandboxIntents.id, payer)}))`,
  },
  {
    table: sandboxIntents,
    key: sandboxIntents.id,
    belongsTo: (payer) => isOf(sandboxIntents.id, payer),
    change: { version: sql`${sandboxIntents.version} + 1` },
  },
  { table: sandboxDisputes, key: sandboxDisputes.id, belongsTo: (payer) => isOf(sandboxDisputes.intentId, payer) },
  {
    table: sandboxEvents,
    key: sandboxEvents.id,
    belongsTo: (payer) =>
      isOf(
        sql`coalesce(${sandboxEvents.body} #>> '{data,object,payment_intent}', ${sandboxEvents.body} #>> '{data,object,id}')`,
        payer,
      ),
  },
  {
    table: sandboxIdempotency,
    key: sandboxIdempotency.key,
    belongsTo: (payer) => sql`(${hasEmail(sql`${sandboxIdempotency.body}->'billing_details'`, payer)}
      or exists (select from unnest(${sql.param(payer.intentIds)}::text[]) intent
        where position(intent in ${sandboxIdempotency.body}::text) > 0))`,
  },
];

const selectBodies = (db: Queries, { table, key, belongsTo }: PersonalBodies, payer: Payer) =>
  db.select({ key, body: table.body }).from(table).where(belongsTo(payer));

/** @returns the objects of this service that have a person's data */
export async function readPayerData(db: Queries, payer: Payer): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const bodies of PERSONAL_BODIES)
    found.push(...(await selectBodies(db, bodies, payer)).map(({ key, body }) => ({ id: key, body })));
  return found;
}

/** Removes a person's data from the payments, whose amounts and states stay. */
export async function erasePayerData(tx: Queries, payer: Payer): Promise<void> {
  for (const bodies of PERSONAL_BODIES)
    for (const { key, body } of await selectBodies(tx, bodies, payer).for('update'))
      await tx
        .update(bodies.table)
        .set({ body: withoutPersonalFields(body), ...bodies.change })
        .where(eq(bodies.key, key));
}
