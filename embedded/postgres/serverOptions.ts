import type { PostgresAddress } from './postgresAddress';

export const SUPERUSER = 'postgres';
/** Also the name of the role that owns the database. */
export const DATABASE_NAME = 'forgeline';

/** Keeps the server's own environment, such as keys and PG variables, from PostgreSQL. On Windows, it is passed on. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return process.env;
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

const DURABILITY = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

const SMALL_MACHINE = {
  max_connections: 60,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  jit: 'off',
  max_parallel_workers_per_gather: 0,
};

/** Statements and error details contain personal data, so they are not logged. */
const LOGGING = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] ',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export function startArguments(cluster: string, { host, port, loopback }: PostgresAddress): string[] {
  const network = loopback
    ? { listen_addresses: host, unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700' };
  const settings = {
    ...network,
    port,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...DURABILITY,
    ...SMALL_MACHINE,
    ...LOGGING,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
