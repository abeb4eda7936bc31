import { DrizzleQueryError } from 'drizzle-orm';
import { problemOf } from '../../../server/http/problems';
import { makeLogger } from '../../../server/http/logging';

const broken = (code: string) => Object.assign(new Error(`write ${code}`), { code });

test.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', '57P01', '57P03', '08006', '53300'])(
  'a database that cannot be reached (%s) is trouble of a moment, not a bug',
  (code) => {
    for (const error of [broken(code), new DrizzleQueryError('select 1', [], broken(code))])
      expect(problemOf(error)).toMatchObject({ status: 503, code: 'unavailable' });
  },
);

test('what a failed statement was given is not in the log, and where it failed is', () => {
  const lines: string[] = [];
  const logger = makeLogger('info', false, { write: (line) => void lines.push(line) });
  const given = ['12 Main Street\n    at home (x.js:1:1)', 'refresh-token-of-ann'];
  logger.error(
    { err: new DrizzleQueryError('insert into "orders" values ($1, $2)', given, broken('EPIPE')) },
    'trouble',
  );
  expect(lines.join('')).toContain('insert into \\"orders\\" values ($1, $2)');
  expect(lines.join('')).toContain('databaseErrorsInLogs.test.ts');
  expect(lines.join('')).not.toMatch(/Main Street|refresh-token-of-ann|at home/);
});
