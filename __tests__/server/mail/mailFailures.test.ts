import { sql } from 'drizzle-orm';
import { SEND_TIMEOUT_MS } from '../../../server/mail/mailQueue';
import type { MailServerMode } from '../../support/mailServer';
import { startCrashingServer } from '../../support/server';
import { recordTimers } from '../../support/timers';
import { waitUntil } from '../../support/wait';
import { MAIL_FROM, openMailTestKit, type MailTestKit } from './mailTestKit';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A shop keeps one connection to listen for changes. */
const LISTEN_CONNECTIONS = 1;
const SHORT_TIMEOUT = { sendTimeoutMs: 1_000 };

let kit: MailTestKit;
beforeAll(async () => {
  kit = await openMailTestKit();
});
afterAll(() => kit.close());
afterEach(() => {
  kit.mailServer.setMode('accepts');
  kit.clock.offsetMs = 0;
});

const mailOf = async (orderId: string) => (await kit.rowsOf(orderId))[0]!;
const messageIdsOf = (email: string) => kit.receivedBy(email).map(({ messageId }) => messageId);

it('an email to a nonexistent recipient fails immediately, and the address is not logged', async () => {
  kit.mailServer.setMode('refuses recipient');
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.sendMail();
  expect(await mailOf(order._id)).toMatchObject({ state: 'failed', tries: 1, error: expect.stringContaining('550') });
  const [line] = kit.log.linesOf('mail failed');
  expect(line).toMatchObject({ orderId: order._id, responseCode: 550, command: 'RCPT TO' });
  expect(JSON.stringify(kit.log.lines)).not.toContain('@');

  kit.mailServer.setMode('accepts');
  kit.clock.offsetMs = 10 * HOUR_MS;
  await kit.sendMail();
  expect(messageIdsOf(customer.email)).toEqual([]);
});

it.each<MailServerMode>([
  'does not greet',
  'refuses sender',
  'refuses relaying',
  'defers recipient',
  'refuses mail',
  'defers mail',
  'hangs up in the middle',
])('an email is retried after a minute if the mail server %s', async (mode) => {
  kit.mailServer.setMode(mode);
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.sendMail(SHORT_TIMEOUT);
  expect(await mailOf(order._id)).toMatchObject({ state: 'queued', tries: 1, leaseUntil: null });
  expect(JSON.stringify(kit.log.lines)).not.toContain('@');
  kit.mailServer.setMode('accepts');
  kit.clock.offsetMs = 55_000;
  await kit.sendMail();
  expect(messageIdsOf(customer.email)).toEqual([]);
  kit.clock.offsetMs = 75_000;
  await kit.sendMail();
  expect(await mailOf(order._id)).toMatchObject({ state: 'sent', tries: 2, error: null });
  expect(messageIdsOf(customer.email)).toHaveLength(1);
});

it('emails are queued while the mail server is down, and sent when it is back', async () => {
  await kit.mailServer.stop();
  const orders = await Promise.all(Array.from({ length: 8 }, () => kit.createUnpaidOrder()));
  await kit.sendMail();
  await kit.mailServer.start();
  const tries = await Promise.all(orders.map(async ({ order }) => (await mailOf(order._id)).tries));
  // Four workers send at the same time, and each stops at its first failure.
  expect(tries.filter((n) => n > 0)).toHaveLength(4);
  kit.clock.offsetMs = 61_000;
  await kit.sendMail();
  for (const { customer } of orders) expect(messageIdsOf(customer.email)).toHaveLength(1);
});

it('the pauses between tries to send an email grow to four hours, and after two days the email is marked as failed', async () => {
  kit.mailServer.setMode('defers mail');
  const { customer, order } = await kit.createUnpaidOrder();
  const pauses: number[] = [];
  let mail = await mailOf(order._id);
  const queuedAt = mail.createdAt.getTime();
  for (let at = queuedAt; mail.state === 'queued'; at = mail.nextTryAt.getTime()) {
    kit.clock.offsetMs = at - Date.now() + 1_000;
    await kit.sendMail();
    mail = await mailOf(order._id);
    if (mail.state === 'queued') pauses.push(Math.round((mail.nextTryAt.getTime() - at) / MINUTE_MS));
  }
  expect(pauses.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240]);
  expect(mail.nextTryAt.getTime() - queuedAt).toBe(48 * HOUR_MS);
  expect(mail).toMatchObject({ state: 'failed', error: expect.stringContaining('451') });

  kit.mailServer.setMode('accepts');
  kit.clock.offsetMs += 10 * HOUR_MS;
  await kit.sendMail();
  expect(messageIdsOf(customer.email)).toEqual([]);
});

it.each<MailServerMode>(['hangs up after accepting', 'never replies'])(
  'if the mail server %s, the email is sent again with the same Message-ID, so that duplicates can be recognized',
  async (mode) => {
    kit.mailServer.setMode(mode);
    const { customer, order } = await kit.createUnpaidOrder();
    const deadlines = recordTimers(SEND_TIMEOUT_MS);
    const sending = kit.sendMail();
    await waitUntil(() => messageIdsOf(customer.email).length > 0);
    if (mode === 'never replies') deadlines.end();
    await sending;
    jest.restoreAllMocks();
    expect(await mailOf(order._id)).toMatchObject({ state: 'queued', tries: 1 });
    kit.mailServer.setMode('accepts');
    kit.clock.offsetMs = 61_000;
    await kit.sendMail();
    expect(await mailOf(order._id)).toMatchObject({ state: 'sent' });
    const id = `<order-received.${order._id}@127.0.0.1>`;
    expect(messageIdsOf(customer.email)).toEqual([id, id]);
  },
);

it('if a server is killed before it records an email as sent, the next server sends it with the same Message-ID', async () => {
  const { customer, order } = await kit.createPaidOrder();
  const SETTINGS = { SMTP_URL: kit.mailServer.url, MAIL_FROM };
  const { exited } = await startCrashingServer(kit.database!.connection, 'record sent mail', SETTINGS);
  expect((await exited)[1]).toBe('SIGKILL');
  expect(kit.mailServer.received.length).toBeGreaterThan(0);
  kit.clock.offsetMs = 130_000;
  await kit.sendMail();
  kit.clock.offsetMs = 200_000;
  await kit.sendMail();
  const kinds = ['order-received', 'payment-received'].map((kind) => `<${kind}.${order._id}@`);
  const ids = messageIdsOf(customer.email).map((id) => id.replace(/@.*$/, '@'));
  expect(new Set(ids)).toEqual(new Set(kinds));
  expect(ids.length).toBeLessThanOrEqual(4);
  expect(await kit.statesOf(order._id)).toEqual(['order received: sent', 'payment received: sent']);
});

it('a sent email that cannot be recorded at first is recorded later, and is not sent again', async () => {
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.queryRows(sql`alter table mails add constraint no_record check (state <> 'sent') not valid`);
  const sending = kit.sendMail();
  await waitUntil(() => kit.log.linesOf('could not record that the mail was sent; trying again').length > 0);
  await kit.queryRows(sql`alter table mails drop constraint no_record`);
  await sending;
  expect(await mailOf(order._id)).toMatchObject({ state: 'sent', tries: 1 });
  expect(messageIdsOf(customer.email)).toHaveLength(1);
});

it('a server that was suspended until its lease on an email expired does not send that email again', async () => {
  const { customer, order } = await kit.createUnpaidOrder();
  kit.runBefore('send mail', async () => {
    kit.clock.offsetMs = 130_000;
    await kit.sendMail();
  });
  await kit.sendMail();
  expect(messageIdsOf(customer.email)).toHaveLength(1);
  expect(await mailOf(order._id)).toMatchObject({ state: 'sent', tries: 2 });
});

it('a server whose lease expired before it recorded an email as sent does not send that email again itself', async () => {
  const [first, second] = [await kit.createUnpaidOrder(), await kit.createUnpaidOrder()];
  const recorded: string[] = [];
  await kit.sendMail({
    checkpoint: async (step) => {
      if (step !== 'record sent mail') return;
      recorded.push(step);
      if (recorded.length > 1) return;
      kit.clock.offsetMs = 130_000;
      // Meanwhile, the other workers record the second email and look for more.
      const { $client } = kit.deps.db;
      await waitUntil(async () => (await mailOf(second.order._id)).state === 'sent');
      await waitUntil(() => $client.totalCount - $client.idleCount <= LISTEN_CONNECTIONS);
    },
  });
  const received = [first, second].map(({ customer }) => messageIdsOf(customer.email).length);
  expect([received, recorded.length]).toEqual([[1, 1], 2]);
});

it('an email that was sent is recorded even if another server took over its lease meanwhile and failed', async () => {
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.sendMail({
    checkpoint: async (step) => {
      if (step !== 'record sent mail') return;
      kit.clock.offsetMs = 130_000;
      kit.mailServer.setMode('defers mail');
      await kit.sendMail(SHORT_TIMEOUT);
    },
  });
  expect(await mailOf(order._id)).toMatchObject({ state: 'sent', tries: 2, error: null });
  kit.mailServer.setMode('accepts');
  kit.clock.offsetMs = 400_000;
  await kit.sendMail();
  expect(messageIdsOf(customer.email)).toHaveLength(1);
});
