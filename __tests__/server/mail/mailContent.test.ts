import { sql } from 'drizzle-orm';
import { main } from '../../../server/cli/mail';
import { mails } from '../../../server/db/schema';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { runCli } from '../../support/cli';
import { bearer } from '../../support/customers';
import { openMailTestKit, type MailTestKit } from './mailTestKit';

let kit: MailTestKit;
beforeAll(async () => {
  kit = await openMailTestKit();
});
afterAll(() => kit.close());

const ALLOWED_HEADERS = [
  ...['from', 'to', 'subject', 'auto-submitted', 'message-id', 'date', 'mime-version', 'content-type'],
  ...['x-mailer', 'content-transfer-encoding'],
];

/** The shop removes parts of these names before it stores them. The email must be safe without that. */
const HOSTILE_NAMES = [
  'Ann\r\nBcc: eve@evil.example\r\n\r\nBuy now',
  'Ann\nX-Evil: 1',
  'Ann\u2028Bcc: eve@evil.example\u0085Cc: eve@evil.example\0',
  '"Ann" <eve@evil.example>, Bob',
  '<b onclick=alert(1)>Ann</b><img src=x onerror=alert(1)>',
  '\u202Eevil \u2066Ann\u200F',
  'Zoë 🔨👩‍🔧 علي 李',
  '=?utf-8?q?=0D=0ABcc:_eve@evil.example?=',
];

it.each(HOSTILE_NAMES)('the name %j injects neither headers nor lines nor HTML into an email', async (name) => {
  const { customer, order } = await kit.createPaidOrder();
  const address = `${name}\nTotal: $1`;
  await kit.queryRows(sql`
    update orders set client = ${name.replaceAll('\0', '')}, address = ${address.replaceAll('\0', '')},
      product_name = ${name.replaceAll('\0', '')} where id = ${order._id}`);
  await kit.sendMail();
  const { from, to } = kit.mailServer.received.at(-1)!;
  expect([from, to]).toEqual(['shop@forgeline.example', [customer.email]]);
  for (const mail of kit.receivedBy(customer.email)) {
    expect(mail.headerNames.filter((header) => !ALLOWED_HEADERS.includes(header))).toEqual([]);
    expect(new Set(mail.headerNames).size).toBe(mail.headerNames.length);
    expect(mail.to.endsWith(` <${customer.email}>`)).toBe(true);
    expect(mail.text.match(/^Total: .*$/gm)).toEqual(['Total: $14']);
    expect(mail.text).not.toMatch(/^(Bcc|X-Evil|Buy now)/m);
    expect(mail.html).not.toMatch(/<(b|img|script)\b/);
    expect(mail.text + mail.html).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200E\u200F]/);
  }
});

it('emoji and non-Latin scripts in a name arrive unchanged', async () => {
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.queryRows(sql`update orders set client = 'Zoë 🔨 علي 李' where id = ${order._id}`);
  await kit.sendMail();
  const [mail] = kit.receivedBy(customer.email);
  expect(mail!.to).toBe(`Zoë 🔨 علي 李 <${customer.email}>`);
  expect(mail!.text).toContain('Hello Zoë 🔨 علي 李,');
  expect(mail!.html).toContain('Hello Zoë 🔨 علي 李,');
});

it.each([
  'ann,eve@mail.example',
  'ann;bob@mail.example',
  'ann>,<eve@mail.example',
  'änn@bücher.example',
  "o'neil+a@mail.example",
])('an email to %s is sent to exactly that address or not at all', async (email) => {
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.setUser(customer.id, { email });
  const before = kit.mailServer.received.length;
  await kit.sendMail();
  const [mail] = await kit.rowsOf(order._id);
  const recipientLists = kit.mailServer.received.slice(before).map(({ to: recipients }) => recipients);
  // Addresses with special characters arrive with quotes.
  const unquoted = recipientLists.map((recipients) => recipients.map((each) => each.replaceAll('"', '')));
  expect(unquoted).toEqual(mail!.state === 'sent' ? [[email]] : []);
  expect(mail!.state).toBe(email.includes('>') ? 'queued' : 'sent');
  await kit.deps.db.update(mails).set({ state: 'not sent' });
});

it('an email to an unverified address contains no text written by the customer until the order is paid', async () => {
  const { customer, order, intentId } = await kit.createChargedOrder();
  await kit.setUser(customer.id, { emailVerified: false });
  await kit.queryRows(sql`update orders set client = 'You won', address = 'evil.example' where id = ${order._id}`);
  await kit.sendMail();
  await kit.patchOrder(customer, order._id, intentId);
  await kit.sendMail();
  const [received, receipt] = kit.receivedBy(customer.email);
  expect(received!.to).toBe(customer.email);
  expect(received!.text + received!.html).not.toMatch(/You won|evil\.example|Phone/);
  expect(received!.text).toContain('Hello,');
  expect(receipt!.to).toBe(`You won <${customer.email}>`);
  expect(receipt!.text).toMatch(/Hello You won,[\s\S]*evil\.example/);
});

it('an unverified address gets one email a day about new orders and none about offers', async () => {
  const customer = await kit.createCustomer();
  await kit.setUser(customer.id, { emailVerified: false });
  const limit = createDatabaseRateLimit(kit.deps.db, kit.deps.now);
  const tool = await kit.createTool();
  for (const quantity of [1_000, 2_000]) {
    const draft = { productName: tool.name, toolId: tool.id, totalQuantity: quantity };
    const { body } = await kit.placeOrder(customer, draft);
    await kit.queryRows(sql`update orders set quantity = 2 where id = ${body._id}`);
    expect((await kit.offer(body._id, 5)).status).toBe(200);
    await kit.sendMail({ limit });
  }
  expect(kit.receivedBy(customer.email).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^We received your order/),
  ]);
});

it('a verified address gets an email about each new order', async () => {
  const customer = await kit.createCustomer();
  await kit.insertOrders(customer, 5);
  await kit.queryRows(sql`
    insert into mails (kind, about, order_id, next_try_at)
    select 'order received', id::text, id, now() - interval '1 second' from orders where owner_id = ${customer.id}`);
  await kit.sendMail({ limit: createDatabaseRateLimit(kit.deps.db, kit.deps.now) });
  expect(kit.receivedBy(customer.email)).toHaveLength(5);
});

const runMailCli = (...argv: string[]) => runCli(main, argv, { ...kit.database!.env, DEMO: 'off' });

it('the operator can list the emails and print one as it would be sent', async () => {
  const { customer, order } = await kit.createUnpaidOrder();
  await kit.queryRows(sql`update orders set client = E'Ann\x1b[2J\nSubject: x' where id = ${order._id}`);
  const [mail] = await kit.rowsOf(order._id);
  const listed = await runMailCli('list');
  expect(listed.code).toBe(0);
  expect(listed.out).toContain('Sending is off: set SMTP_URL and MAIL_FROM to send mail.');
  expect(listed.out).toMatch(new RegExp(`^${mail!.id}  .*Z  order received, order ${order._id}  queued$`, 'm'));

  const shown = await runMailCli('show', String(mail!.id));
  await kit.sendMail();
  const [sent] = kit.receivedBy(customer.email);
  expect(shown.out).toContain(`To: ${sent!.to.replaceAll('"', '')}\nSubject: ${sent!.subject}\nState: queued\n\n`);
  expect(shown.out.replaceAll('http://localhost:3000', kit.origin)).toContain(sent!.text);
  expect(shown.out).not.toContain('\x1b');
  expect(shown.out.match(/^Subject:/gm)).toHaveLength(1);
});

it('/metrics counts queued and failed emails', async () => {
  await kit.deps.db.update(mails).set({ state: 'sent' });
  await kit.createUnpaidOrder();
  const { order } = await kit.createUnpaidOrder();
  await kit.queryRows(sql`update mails set state = 'failed' where order_id = ${order._id}`);
  const response = await fetch(`${kit.origin}/metrics`, { headers: bearer(kit.admin) });
  const text = await response.text();
  expect(text).toContain('forgeline_mails{state="queued"} 1\nforgeline_mails{state="failed"} 1');
});
