import { collectLog, startShop } from '../../support/shop';
import { waitUntil } from '../../support/wait';

const log = collectLog();
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ logger: log.logger })));
afterAll(() => shop.close());
beforeEach(() => void (log.lines.length = 0));

async function call(path: string, init: RequestInit = {}) {
  const authorization = `Bearer ${shop.sandbox!.keys.secret}`;
  const response = await fetch(`${shop.origin}/v1/${path}`, { ...init, headers: { authorization, ...init.headers } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as object,
  };
}

const runSql = (statement: string) => shop.deps.db.$client.query(statement);
const JSON_TYPE = 'application/json; charset=utf-8';
const UNKNOWN_ERROR = { error: { type: 'api_error', message: 'An unknown error occurred.' } };
const linesAbout = (text: string) => log.lines.filter(({ msg }) => msg.startsWith(text));

test('a bug of the sandbox is answered as by Stripe and logged as an error', async () => {
  await runSql('alter table embedded_stripe.refunds rename to moved_refunds');
  expect(await call('refunds')).toEqual({ status: 500, type: JSON_TYPE, body: UNKNOWN_ERROR });
  await runSql('alter table embedded_stripe.moved_refunds rename to refunds');
  expect(linesAbout('payment call')).toMatchObject([
    {
      level: 50,
      msg: 'payment call failed',
      reqId: expect.any(String) as string,
      err: { message: expect.stringContaining('"embedded_stripe"."refunds"') as string },
    },
  ]);
});

test('a call that fails because the database is unavailable is logged as a warning', async () => {
  await runSql(`
    alter table embedded_stripe.refunds rename to stored_refunds;
    create function refuse() returns setof embedded_stripe.stored_refunds language plpgsql
      as $$ begin raise exception using errcode = 'too_many_connections'; end $$;
    create view embedded_stripe.refunds as select * from refuse()`);
  expect(await call('refunds')).toEqual({ status: 503, type: JSON_TYPE, body: UNKNOWN_ERROR });
  await runSql(`
    drop view embedded_stripe.refunds;
    drop function refuse;
    alter table embedded_stripe.stored_refunds rename to refunds`);
  expect(linesAbout('payment call')).toMatchObject([
    {
      level: 40,
      msg: 'payment call temporarily unavailable',
      reqId: expect.any(String) as string,
      err: { message: expect.stringContaining('"embedded_stripe"."refunds"') as string },
    },
  ]);
});

test('a request that the sandbox cannot parse is answered as by Stripe and is not logged as an error', async () => {
  const headers = { 'content-type': 'application/json' };
  expect(await call('refunds', { method: 'POST', headers, body: '{}' })).toEqual({
    status: 415,
    type: JSON_TYPE,
    body: { error: { type: 'invalid_request_error', message: 'Invalid request.' } },
  });
  expect(linesAbout('payment call')).toEqual([]);
});

test('a POST without a body is a call without parameters', async () => {
  const { status, body } = await call('payment_intents', { method: 'POST' });
  expect([status, body]).toMatchObject([400, { error: { message: 'Missing required param: amount.' } }]);
});

test('the log line of a payment call has the code of its error, or else the type', async () => {
  await call('payment_intents', { method: 'POST' });
  await call('nothing', { method: 'POST' });
  await waitUntil(() => log.linesOf('request').length === 2);
  expect(log.linesOf('request').map(({ status, code }) => [status, code])).toEqual([
    [400, 'parameter_missing'],
    [404, 'invalid_request_error'],
  ]);
});
