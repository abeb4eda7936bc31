import type { InjectOptions } from 'fastify';
import { scheduler } from './scheduler';
import type { Copy } from './copies';
import { START_MS } from './simulatedRuntime';

/** The accounts that exist when a run begins. Their ids are set by `readInitialIds`. */
export const PEOPLE = [
  { name: 'Ann', id: '', email: 'ann@mail.example', isAdmin: false },
  { name: 'Bob', id: '', email: 'bob@mail.example', isAdmin: false },
  { name: 'Eve', id: '', email: 'eve@mail.example', isAdmin: true },
  { name: 'Dan', id: '', email: 'dan@mail.example', isAdmin: true },
];
export const TOOLS = [
  { id: '00000000-0000-4000-8000-000000000001', name: 'Hammer', price: 7, stock: 9, minimum: 1 },
  { id: '00000000-0000-4000-8000-000000000002', name: 'Drill', price: 90, stock: 6, minimum: 3 },
];

const PASSWORD = 'secret-1';
const TABLES = ['public.users', 'embedded_identity.accounts', 'public.tools'];
const firstRowsOf = (table: string) => `sim.first_${table.split('.')[1]}`;

async function sendRequest(copy: Copy, request: InjectOptions) {
  const response = await copy.shop.app.inject(request);
  if (response.statusCode !== 200)
    throw new Error(`${request.method} ${String(request.url)} failed, so there are no accounts: ${response.body}`);
  return response;
}

async function signUp(copy: Copy, email: string): Promise<void> {
  const url = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any';
  const payload = { email, password: PASSWORD, returnSecureToken: true };
  const account = (await sendRequest(copy, { method: 'POST', url, payload })).json<{ idToken: string }>();
  const headers = { authorization: `Bearer ${account.idToken}` };
  await sendRequest(copy, { method: 'PUT', url: `/user/${email}`, payload: { email }, headers });
}

/**
 * While accounts are created on a busy machine, timers may fire and move the clock. So all times that were stored until
 * now become the same one.
 */
async function setTimes(tables: string[]): Promise<void> {
  const { rows } = await scheduler.controlConnection.query<{ update: string }>(
    `select format('update %I.%I set %3$I = $1 where %3$I is not null', table_schema, table_name, column_name) as update
     from information_schema.columns where table_schema || '.' || table_name = any($1) and data_type like 'timestamp%'`,
    [tables],
  );
  for (const { update } of rows) await scheduler.controlConnection.query(update, [new Date(START_MS).toISOString()]);
}

export async function storeInitialRows(copy: Copy): Promise<void> {
  const control = scheduler.controlConnection;
  for (const { email } of PEOPLE) await signUp(copy, email);
  await control.query(`update users set role = 'admin' where email in ('eve@mail.example', 'dan@mail.example')`);
  for (const { id, name, price, stock, minimum } of TOOLS)
    await control.query(
      `insert into tools (id, name, price, available_quantity, stocked_quantity, minimum_order_quantity, description, img)
       values ($1, $2, $3, $4, $4, $5, 'A tool.', '/t.svg')`,
      [id, name, price, stock, minimum],
    );
  await setTimes([...TABLES, 'embedded_identity.keys']);
  for (const table of TABLES) await control.query(`create table ${firstRowsOf(table)} as table ${table}`);
}

/** Reads the ids of the accounts. They differ when the database was created by another process. */
export async function readInitialIds(): Promise<void> {
  const { rows } = await scheduler.controlConnection.query<{ id: string; email: string }>(
    'select id, email from sim.first_users',
  );
  for (const person of PEOPLE) person.id = rows.find(({ email }) => email === person.email)!.id;
}

/** SQL that inserts the stored accounts and tools into emptied tables. */
export const RESTORE_INITIAL_ROWS = TABLES.map(
  (table) => `insert into ${table} overriding system value select * from ${firstRowsOf(table)};`,
).join(' ');
