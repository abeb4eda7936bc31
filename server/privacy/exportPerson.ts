import { getTableName, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { findPerson, type PersonalDataService } from './person';
import { PERSONAL_ROWS } from './personalData';

/** The link of an email is as secret as a password. */
const SECRET_COLUMNS = ['link'];
const isShown = ([name]: [string, unknown], table: string) => table !== 'mails' || !SECRET_COLUMNS.includes(name);

/**
 * Reads everything the shop has about a person in a single snapshot.
 * @returns undefined if no user has this email
 */
export function exportPerson(db: Db, email: string, services: PersonalDataService[]): Promise<object | undefined> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      const person = await findPerson(tx, email);
      if (!person) return undefined;
      const tables: Record<string, object[]> = {};
      for (const { table, belongsTo } of PERSONAL_ROWS) {
        const name = getTableName(table);
        const rows = await tx.select().from(table).where(belongsTo(person));
        const shown = rows.map((row) =>
          Object.fromEntries(Object.entries(row).filter((field) => isShown(field, name))),
        );
        tables[name] = [...(tables[name] ?? []), ...shown];
      }
      const embedded: Record<string, unknown> = {};
      for (const { name, read } of services) embedded[name] = await read(tx, person);
      return { userId: person.id, email, ...tables, ...embedded };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
