import type { Client } from 'pg';

/** Session locks: they end with the connection, so with the process, however it ends. */
const SPACE = 1_179_600_716;
const SERVER = 1;
const VISITORS = 2;
const LOCK_NOT_AVAILABLE = '55P03';

async function lock(client: Client, what: number, milliseconds: number): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = ${milliseconds}`);
    await client.query('select pg_advisory_lock($1, $2)', [SPACE, what]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

/** Waits a moment: the connection of a server killed just now takes some milliseconds to go. */
export function claimServer(client: Client): Promise<boolean> {
  return lock(client, SERVER, 1_000);
}

export async function joinVisitors(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1, $2)', [SPACE, VISITORS]);
}

/** True when no server runs and no other visitor is left; until the connection ends, none can come. */
export async function lastToLeave(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1, $2)', [SPACE, VISITORS]);
  return (await lock(client, SERVER, 1)) && (await lock(client, VISITORS, 500));
}
