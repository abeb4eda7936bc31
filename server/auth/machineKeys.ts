import { createHash, randomBytes } from 'node:crypto';
import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database';
import { machineKeys, users } from '../db/schema';
import { forbidden, tokenInvalid } from '../http/problems';

/** The routes that the key of each subject opens. A machine never deletes an order or returns money. */
export const MACHINE_ROUTES = {
  tools: ['GET /tool/all', 'GET /tool.csv', 'POST /tool', 'POST /tool/import', 'PATCH /tool/:id', 'POST /picture'],
  orders: [
    'GET /order',
    'GET /order.csv',
    'GET /order/counts',
    'GET /order/:id',
    'POST /order/:id/shipment',
    'PUT /order/:id/shipment',
    'PUT /order/:id/price',
  ],
} as const satisfies Record<string, string[]>;
export type MachineSubject = keyof typeof MACHINE_ROUTES;
export const isMachineSubject = (text: string): text is MachineSubject => Object.hasOwn(MACHINE_ROUTES, text);

const PREFIX = 'forgeline_key_';
const TOKEN_BYTES = 32;
export const isMachineToken = (token: string) => token.startsWith(PREFIX);

const userIdOf = (name: string) => `key:${name}`;
/** A fast hash is enough, because the token is random and long. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/**
 * The key's user stays a member in the database, so that it does not count as an admin. Within the routes of the key,
 * it has an admin's rights.
 * @throws 401 if there is no such key, or 403 if it does not open this route
 */
export async function findMachine(db: Db, token: string, { method, routeOptions }: FastifyRequest) {
  const [found] = await db
    .select({ may: machineKeys.may, user: getTableColumns(users) })
    .from(machineKeys)
    .innerJoin(users, eq(users.id, sql`'key:' || ${machineKeys.name}`))
    .where(eq(machineKeys.tokenHash, hashOf(token)));
  if (!found) throw tokenInvalid();
  const routes: string[] = found.may.filter(isMachineSubject).flatMap((subject) => MACHINE_ROUTES[subject]);
  if (!routes.includes(`${method} ${routeOptions.url}`)) throw forbidden();
  return { ...found.user, role: 'admin' as const };
}

/** @returns the token, which is not stored, or undefined if there is a key with this name */
export async function addMachineKey(db: Db, name: string, may: MachineSubject[]): Promise<string | undefined> {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return db.transaction(async (tx) => {
    const added = await tx
      .insert(machineKeys)
      .values({ name, may, tokenHash: hashOf(token) })
      .onConflictDoNothing();
    await tx
      .insert(users)
      .values({ id: userIdOf(name), displayName: name })
      .onConflictDoNothing();
    return added.rowCount === 0 ? undefined : token;
  });
}

export const listMachineKeys = (db: Db) => db.select().from(machineKeys).orderBy(asc(machineKeys.name));

/** The key's user stays, because what it did is recorded with its id. */
export async function removeMachineKey(db: Db, name: string): Promise<boolean> {
  const { rowCount } = await db.delete(machineKeys).where(eq(machineKeys.name, name));
  return rowCount === 1;
}
