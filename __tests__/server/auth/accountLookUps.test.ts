import { Writable } from 'node:stream';
import pino from 'pino';
import { newEmail } from '../../support/customers';
import { startShopWithGoogle } from '../../support/shop';

const text: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    text.push(chunk.toString());
    done();
  },
});
const warnings = () =>
  text
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; failures: number; reason: string })
    .filter(({ msg }) => msg === 'account look-up failed, sign-in allowed');

let clock = Date.now();
let shop: Awaited<ReturnType<typeof startShopWithGoogle>>;
beforeAll(async () => {
  shop = await startShopWithGoogle({ logger: pino(sink), now: () => new Date(clock) });
});
beforeEach(() => void (text.length = 0));
afterAll(() => shop.close());

const failuresCounted = async () => {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  return Number(/^forgeline_account_look_up_failures_total (\d+)$/m.exec(metrics)?.[1]);
};

test('failed account look-ups let people in, and are one warning a minute and a number in the metrics', async () => {
  expect(await failuresCounted()).toBe(0);
  expect((await shop.arrive(newEmail())).status).toBe(200);
  expect(await failuresCounted()).toBe(0);

  shop.google.state.account = undefined;
  for (let n = 0; n < 20; n += 1) expect((await shop.arrive(newEmail())).status).toBe(200);
  expect(await failuresCounted()).toBe(20);
  expect(warnings()).toMatchObject([{ level: 40, failures: 1 }]);

  clock += 61_000;
  await shop.arrive(newEmail());
  expect(warnings()).toMatchObject([{ failures: 1 }, { failures: 20 }]);
  expect(await failuresCounted()).toBe(21);
});

test('an answer that says nothing of the account is a failure too, named by its code without the words', async () => {
  clock += 120_000;
  shop.google.state.account = { error: { message: 'QUOTA_EXCEEDED : of ann@mail.example' } };
  expect((await shop.arrive(newEmail())).status).toBe(200);
  expect(warnings()).toMatchObject([{ reason: 'status 200, QUOTA_EXCEEDED' }]);
  expect(text.join('')).not.toContain('mail.example');
});

test('an account that is disabled is no failure', async () => {
  clock += 120_000;
  const before = await failuresCounted();
  shop.google.state.account = { error: { message: 'USER_DISABLED' } };
  expect((await shop.arrive(newEmail())).status).toBe(401);
  expect([await failuresCounted(), warnings()]).toEqual([before, []]);
});
