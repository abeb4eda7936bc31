import type { Client } from 'pg';
import { endpointOf } from './endpoint';
import type { Home } from './home';
import { NAME } from './options';

const MADE_MEANWHILE = ['42710', '42P04', '23505'];

async function make(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: { code?: string }) => {
    if (!MADE_MEANWHILE.includes(error.code ?? '')) throw error;
  });
}

/** The shop's role owns its database and may make others, but is no superuser: it reaches no file and no program. */
export async function ensureDatabase(client: Client, home: Home): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [NAME]);
  if (rowCount) return;
  const { password } = endpointOf(home, undefined);
  const secret = password ? ` password ${client.escapeLiteral(password)}` : '';
  await make(client, `create role ${NAME} login createdb${secret}`);
  await make(client, `create database ${NAME} owner ${NAME}`);
}
