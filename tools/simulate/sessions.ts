import type { Client } from 'pg';
import { realSleep } from './simulatedRuntime';

/** @returns for each database session, the sessions that it waits for */
export async function readBlockers(control: Client, pids: number[]): Promise<number[][]> {
  const { rows } = await control.query<{ blockers: number[] }>({
    name: 'blockers',
    text: 'select pg_blocking_pids(pid) as blockers from unnest($1::int[]) with ordinality as p(pid, n) order by n',
    values: [pids],
  });
  return rows.map(({ blockers }) => blockers);
}

/** @returns the sessions of all copies */
export async function readSessions(control: Client): Promise<number[]> {
  const { rows } = await control.query<{ pid: number }>(`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  return rows.map(({ pid }) => pid);
}

/**
 * Ends sessions and waits for their ends. `pg_terminate_backend` could also wait, but it looks only every 100 ms, which
 * would be a third of a run's time.
 */
export async function endSessions(control: Client, pids: number[]): Promise<void> {
  await control.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
  const selectLeft = 'select 1 from pg_stat_activity where pid = any($1)';
  while ((await control.query(selectLeft, [pids])).rows.length > 0) await realSleep(1);
}
