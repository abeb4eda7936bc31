import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const timestamptz = (name: string) => timestamp(name, { withTimezone: true });
export const createdAtColumn = () => timestamptz('created_at').notNull().defaultNow();

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const numberLiteral = (value: number) => sql.raw(String(value));
/** Numbers rows in the order of their insertion, for sorting and paging. */
export const positionColumn = () => bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity();
