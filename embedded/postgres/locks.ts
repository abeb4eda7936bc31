import type { Client } from 'pg';

/** PostgreSQL releases a session's locks when its connection ends, so they end even if the process is killed. */
const LOCK_NAMESPACE = 1_179_600_716;
const SERVER_LOCK = 1;
const ATTACHED_LOCK = 2;
const LOCK_NOT_AVAILABLE = '55P03';

async function tryLock(client: Client, key: number, timeoutMs: number): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = ${timeoutMs}`);
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_NAMESPACE, key]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

/** Waits up to a second, because the connection of a server that was just killed takes some milliseconds to end. */
export function lockAsServer(client: Client): Promise<boolean> {
  return tryLock(client, SERVER_LOCK, 1_000);
}

export async function lockAsAttached(client: Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1, $2)', [LOCK_NAMESPACE, ATTACHED_LOCK]);
}

/** @returns whether no server and no other attached program runs. If so, none can start until the connection ends. */
export async function lockIfLast(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1, $2)', [LOCK_NAMESPACE, ATTACHED_LOCK]);
  return (await tryLock(client, SERVER_LOCK, 1)) && (await tryLock(client, ATTACHED_LOCK, 500));
}
