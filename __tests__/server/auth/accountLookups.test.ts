import { Writable } from 'node:stream';
import pino from 'pino';
import { newEmail } from '../../support/customers';
import { startShopWithGoogle } from '../../support/shop';

const logText: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logText.push(chunk.toString());
    done();
  },
});
const warnings = () =>
  logText
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; failures: number; reason: string })
    .filter(({ msg }) => msg === 'account lookup failed, sign-in allowed');

let clock = Date.now();
let shop: Awaited<ReturnType<typeof startShopWithGoogle>>;
beforeAll(async () => {
  shop = await startShopWithGoogle({ logger: pino(sink), now: () => new Date(clock) });
});
beforeEach(() => void (logText.length = 0));
afterAll(() => shop.close());

const readFailureCount = async () => {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  return Number(/^forgeline_account_look_up_failures_total (\d+)$/m.exec(metrics)?.[1]);
};

test('a failed account lookup does not block sign-in, is counted, and is logged at most once a minute', async () => {
  expect(await readFailureCount()).toBe(0);
  expect((await shop.signIn(newEmail())).status).toBe(200);
  expect(await readFailureCount()).toBe(0);

  shop.google.state.account = undefined;
  for (let n = 0; n < 20; n += 1) expect((await shop.signIn(newEmail())).status).toBe(200);
  expect(await readFailureCount()).toBe(20);
  expect(warnings()).toMatchObject([{ level: 40, failures: 1 }]);

  clock += 61_000;
  await shop.signIn(newEmail());
  expect(warnings()).toMatchObject([{ failures: 1 }, { failures: 20 }]);
  expect(await readFailureCount()).toBe(21);
});

test('an error of the identity provider counts as a failed account lookup, and only its code is logged', async () => {
  clock += 120_000;
  shop.google.state.account = { error: { message: 'QUOTA_EXCEEDED : of ann@mail.example' } };
  expect((await shop.signIn(newEmail())).status).toBe(200);
  expect(warnings()).toMatchObject([{ reason: 'status 200, QUOTA_EXCEEDED' }]);
  expect(logText.join('')).not.toContain('mail.example');
});

test('a disabled account does not count as a failed lookup', async () => {
  clock += 120_000;
  const before = await readFailureCount();
  shop.google.state.account = { error: { message: 'USER_DISABLED' } };
  expect((await shop.signIn(newEmail())).status).toBe(401);
  expect([await readFailureCount(), warnings()]).toEqual([before, []]);
});
