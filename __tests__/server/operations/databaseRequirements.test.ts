import { checkDatabaseServer } from '../../../server/db/checkDatabaseServer';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startPostgresProxy, type ProxyRules } from '../../support/postgresProxy';
import { startServer } from '../../support/server';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const replace = (pattern: RegExp, text: string): ProxyRules => ({ rewrite: (sql) => sql.replace(pattern, text) });
const addOption = (option: string): ProxyRules => ({
  startup: (parameters) => void parameters.set('options', `${parameters.get('options')} -c ${option}`),
});

/** @returns the message with which the shop refuses the database when a proxy with these rules is in front of it */
async function sentenceFor(rules: ProxyRules): Promise<string> {
  const proxy = await startPostgresProxy(database.url, rules);
  const sentence = await checkDatabaseServer(proxy.url).then(
    () => 'The database is accepted.',
    (error: Error) => error.message,
  );
  await proxy.stop();
  return sentence;
}

it('DATABASE_URL can name a PostgreSQL server, even one behind a proxy', async () => {
  await expect(checkDatabaseServer(database.url)).resolves.toBeUndefined();
  expect(await sentenceFor({})).toBe('The database is accepted.');
});

it.each<[string, ProxyRules, RegExp]>([
  ['is too old', replace(/^show server_version_num$/, `select '140012' as server_version_num`), /a PostgreSQL 14, but/],
  ['is a standby', addOption('default_transaction_read_only=on'), /a read-only database.* Use the address of the prim/],
  [
    'drops session settings',
    { startup: (parameters) => void parameters.delete('options') },
    /ignores the settings that the shop sends when it connects: lock_timeout is 0 instead of 3s\. Connect without a connection pooler/,
  ],
  ['overrides one setting', addOption('synchronous_commit=off'), /synchronous_commit is off instead of on/],
  ['shares sessions', replace(/pg_backend_pid\(\)/, '7'), /a connection pooler that shares sessions\. Change it/],
  [
    'ignores advisory locks',
    replace(/pg_try_advisory_lock\(\$1\)/, '$1::bigint > 0'),
    /the same advisory lock to two sess/,
  ],
  [
    'does not deliver NOTIFY',
    replace(/pg_notify\(.*/, 'concat($1::text, $2::text)'),
    /does not deliver notifications \(LISTEN\)/,
  ],
  [
    'commits parts of a failed statement',
    replace(/^\s*with taken as \((.*) returning id\).*$/s, '$1'),
    /does not undo all parts of a failed statement/,
  ],
])('DATABASE_URL cannot name a database that %s', async (_defect, rules, problem) => {
  const sentence = await sentenceFor(rules);
  expect(sentence).toMatch(/^DATABASE_URL names [^\n]+\.$/);
  expect(sentence).toMatch(problem);
});

it('a server does not start with an unsuitable database, and says why', async () => {
  const proxy = await startPostgresProxy(database.url, replace(/pg_notify\(.*/, 'concat($1::text, $2::text)'));
  await expect(startServer({ DATABASE_URL: proxy.url })).rejects.toThrow(
    'DATABASE_URL names a database that does not deliver notifications (LISTEN). Use PostgreSQL itself. [exit 1]',
  );
  await proxy.stop();
});
