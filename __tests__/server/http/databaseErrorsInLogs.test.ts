import { DrizzleQueryError } from 'drizzle-orm';
import { problemOf } from '../../../server/http/problems';
import { createLogger } from '../../../server/http/logging';

const connectionError = (code: string) => Object.assign(new Error(`write ${code}`), { code });

test.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', '57P01', '57P03', '08006', '53300'])(
  'an error that means that the database is unavailable becomes a 503, not a 500 (%s)',
  (code) => {
    for (const error of [connectionError(code), new DrizzleQueryError('select 1', [], connectionError(code))])
      expect(problemOf(error)).toMatchObject({ status: 503, code: 'unavailable' });
  },
);

test('the log shows which statement failed and where, but not its parameters', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const parameters = ['12 Main Street\n    at home (x.js:1:1)', 'refresh-token-of-ann'];
  logger.error(
    { err: new DrizzleQueryError('insert into "orders" values ($1, $2)', parameters, connectionError('EPIPE')) },
    'statement failed',
  );
  expect(lines.join('')).toContain('insert into \\"orders\\" values ($1, $2)');
  expect(lines.join('')).toContain('databaseErrorsInLogs.test.ts');
  expect(lines.join('')).not.toMatch(/Main Street|refresh-token-of-ann|at home/);
});

test('the log of an error has its code and causes, but no other fields, which can contain a password', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const cause = Object.assign(new Error('no connection'), { code: 'EPIPE', client: { password: 'pa55' } });
  const error = Object.assign(new Error('statement failed', { cause }), { connection: 'postgres://shop:pa55@db' });
  logger.error({ err: error }, 'failed');
  logger.debug('not logged at this level');
  expect(lines).toHaveLength(1);
  expect((JSON.parse(lines[0]!) as { err: object }).err).toEqual({
    name: 'Error',
    message: 'statement failed',
    stack: error.stack,
    cause: { name: 'Error', message: 'no connection', code: 'EPIPE', stack: cause.stack },
  });
});

test.each(['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'])(
  'the value of %s is not logged, alone or in another field',
  (name) => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    logger.info({ [name]: 's3cret', request: { [name]: 's3cret', path: '/' } }, 'sent');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      [name]: '[secret]',
      request: { [name]: '[secret]', path: '/' },
    });
  },
);
