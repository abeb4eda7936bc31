import { sql, eq } from 'drizzle-orm';
import { main } from '../../../server/cli/mail';
import { startSendingMail } from '../../../server/mail/sendQueuedMail';
import { sweepOnce } from '../../../server/jobs/sweep';
import { readSettings } from '../../../server/settings/settings';
import { recordTimers } from '../../support/timers';
import { expectEventually } from '../../support/wait';
import { openMailTestKit, type MailTestKit } from './mailTestKit';
import { mails } from '../../../server/db/schema';
import { callShop, putUser } from '../../support/api';
import { runCli } from '../../support/cli';
import { codeOf } from '../../support/identity';
import { newEmail, PASSWORD, callAccounts } from '../../support/customers';

describe('Emails about orders', () => {
  let kit: MailTestKit;
  beforeAll(async () => {
    kit = await openMailTestKit();
  });
  afterAll(() => kit.close());
  afterEach(() => kit.mailServer.setMode('accepts'));

  /**
   * Sends the due emails. A second round must not send any of them again.
   * @returns the customer's emails from index `from` on
   */
  async function deliver(email: string, from = 0) {
    await kit.sendMail();
    await kit.sendMail();
    return kit.receivedBy(email).slice(from);
  }

  it('an order is confirmed by one email that says how long the tools are reserved', async () => {
    const { customer, order, tool } = await kit.createUnpaidOrder({ quantity: 1_200, price: 7, stock: 5_000 });
    const [mail, ...others] = await deliver(customer.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: 'Forgeline <shop@forgeline.example>',
      to: `Ann <${customer.email}>`,
      subject: `We received your order ${order._id.slice(0, 8).toUpperCase()}`,
      messageId: `<order-received.${order._id}@127.0.0.1>`,
      autoSubmitted: 'auto-generated',
    });
    expect(mail!.text).toContain('Ships within 2 days of payment.');
    expect(mail!.text).toMatch(/^We reserved your tools until \w+day, \w+ \d+ at \d+:\d\d [AP]M C[SD]T\. Pay by card/m);
    expect(mail!.text).toContain(
      `Product: ${tool.name}\nQuantity: 1,200\nPrice each: $7\nTotal: $8,400\nDelivery and tax: Delivery is included. No tax is added.\nDelivery address: 1 Main\nPhone: 555 0100`,
    );
    expect(mail!.text).toContain(`Pay for your order:\n${kit.origin}/dashboard/payment/${order._id}`);
    expect(mail!.html).toContain(`href="${kit.origin}/dashboard/payment/${order._id}"`);
  });

  it('the email about an unpriced order says that it has no price, and the email about an offer has the price', async () => {
    const tool = await kit.createTool({ minimumOrderQuantity: 10 });
    const customer = await kit.createCustomer();
    const { body: order } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 5 });
    const [received] = await deliver(customer.email);
    expect(received!.text).toContain("You can't pay for this order yet, because it has no price.");
    expect(received!.text).not.toContain('$');

    expect((await kit.offer(order._id, 9)).status).toBe(200);
    const [offered, ...others] = await deliver(customer.email, 1);
    expect(others).toEqual([]);
    expect(offered!.subject).toMatch(/^We have a price for your order/);
    expect(offered!.text).toContain('Price each: $9\nTotal: $45');
    expect(offered!.text).toContain('We reserved your tools until');
  });

  it('a payment, a shipment, its correction and a refund each cause one email', async () => {
    const { customer, order, intentId } = await kit.createPaidOrder({ quantity: 2, price: 700 });
    await kit.queryRows(sql`update orders set reference = 'PO 4711' where id = ${order._id}`);
    const delivered = await deliver(customer.email);
    // Emails are sent concurrently, so either of the two can arrive first.
    const [receipt, placed] = delivered.sort((a, b) => a.subject.localeCompare(b.subject));
    expect(placed!.text).not.toContain('Pay');
    expect(receipt!.subject).toMatch(/^Receipt for your order/);
    expect(receipt!.text).toContain(
      `Total: $1,400\nDelivery and tax: Delivery is included. No tax is added.\nDelivery address: 1 Main\nPhone: 555 0100\nYour reference: PO 4711\nPaid with: Visa ending in 4242\nTransaction: ${intentId}`,
    );

    await Promise.all([kit.ship(order._id), kit.ship(order._id)]);
    const [shipped, ...others] = await deliver(customer.email, 2);
    expect(others).toEqual([]);
    expect(shipped!.subject).toMatch(/is on its way$/);
    expect(shipped!.text).toContain('Two crates.');
    expect(shipped!.text).toContain('Carrier: UPS\nTracking number: 1Z 999\n    https://ups.example/1Z999');
    expect(shipped!.html).toContain('<a href="https://ups.example/1Z999"');

    const correction = { carrier: 'UPS', tracking: '1Z 998' };
    expect((await kit.call(kit.admin, 'PUT', `/order/${order._id}/shipment`, correction)).status).toBe(200);
    const [corrected] = await deliver(customer.email, 3);
    expect(corrected!.text).toContain('This replaces the shipping details in our last email.');
    expect(corrected!.text).toContain('Tracking number: 1Z 998');

    await Promise.all([kit.refund(order._id), kit.refund(order._id)]);
    const [refunded, ...more] = await deliver(customer.email, 4);
    expect(more).toEqual([]);
    expect(refunded!.subject).toMatch(/^We refunded your order/);
    expect(refunded!.text).toContain('We sent $1,400 back to your card.');
    expect(await kit.statesOf(order._id)).toEqual([
      'order received: sent',
      'payment received: sent',
      'shipped: sent',
      'shipped: sent',
      'refunded: sent',
    ]);
  });

  it('a payment that came too late causes a single email, which is sent when the payment is refunded', async () => {
    const { customer, order, intentId } = await kit.createLatePayment();
    await sweepOnce(kit.deps);
    await sweepOnce(kit.deps);
    const delivered = await deliver(customer.email);
    expect(delivered).toHaveLength(2);
    const returnedMail = delivered.find(({ messageId }) => messageId === `<payment-returned.${intentId}@127.0.0.1>`);
    expect(returnedMail!.text).toContain('Your payment of $14 arrived when this order could no longer be paid.');
    expect(await kit.statesOf(order._id)).toEqual(['order received: sent', 'payment returned: sent']);
  });

  it('an order whose transaction was rolled back causes no email', async () => {
    const customer = await kit.createCustomer();
    const tool = await kit.createTool();
    await kit.queryRows(sql`alter table mails add constraint no_mail check (kind <> 'order received') not valid`);
    const { status } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 });
    await kit.queryRows(sql`alter table mails drop constraint no_mail`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await kit.readAvailable(tool.id)).toBe(100);
    expect(await deliver(customer.email)).toEqual([]);
  });

  it('an order that was deleted before its confirmation was sent gets no confirmation', async () => {
    const { customer, order } = await kit.createUnpaidOrder();
    await kit.call(customer, 'DELETE', `/order/${order._id}`);
    expect(await deliver(customer.email)).toEqual([]);
    expect(await kit.rowsOf(order._id)).toMatchObject([
      { state: 'not sent', error: expect.stringContaining('deleted') },
    ]);
  });

  it('an email goes to the current address of the account, and is not sent if the account has no address any more', async () => {
    const { customer, order } = await kit.createPaidOrder();
    await kit.setUser(customer.id, { email: `new-${customer.email}` });
    expect(await deliver(customer.email)).toEqual([]);
    expect(kit.receivedBy(`new-${customer.email}`)).toHaveLength(2);
    await kit.setUser(customer.id, { email: null });
    await kit.ship(order._id);
    await kit.sendMail();
    expect((await kit.statesOf(order._id)).at(-1)).toBe('shipped: not sent');
  });

  it('four simultaneous senders on one database send each email once', async () => {
    kit.mailServer.setMode('is slow');
    const orders = await Promise.all(Array.from({ length: 12 }, () => kit.createUnpaidOrder()));
    await Promise.all([kit.sendMail(), kit.sendMail(), kit.sendMail(), kit.sendMail()]);
    const ids = orders.flatMap(({ customer }) => kit.receivedBy(customer.email).map(({ messageId }) => messageId));
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  it('without mail settings, all queued emails are marked as not sent, and are never sent later', async () => {
    const { customer, order } = await kit.createUnpaidOrder();
    const stop = startSendingMail(kit.context({ sender: undefined }));
    await expectEventually(() => kit.statesOf(order._id), ['order received: not sent']);
    const second = await kit.createUnpaidOrder();
    await stop();
    expect(await kit.statesOf(second.order._id)).toEqual(['order received: not sent']);
    expect([...(await deliver(customer.email)), ...(await deliver(second.customer.email))]).toEqual([]);
  });

  it('a running shop sends queued emails in the background, and stops after three seconds even if the mail server hangs', async () => {
    const { customer } = await kit.createUnpaidOrder();
    const closing = new AbortController();
    const stop = startSendingMail(kit.context({ closing: closing.signal }));
    await expectEventually(() => kit.receivedBy(customer.email).length, 1);
    kit.mailServer.setMode('never replies');
    const { order } = await kit.createUnpaidOrder();
    await expectEventually(async () => (await kit.rowsOf(order._id))[0]!.leaseUntil !== null, true);
    const stopTimeouts = recordTimers(3_000);
    closing.abort();
    stopTimeouts.end();
    await stop();
    jest.restoreAllMocks();
    expect(await kit.rowsOf(order._id)).toMatchObject([{ state: 'queued', tries: 1, leaseUntil: null }]);
  });

  it('emails are sent with the SMTP login, and are retried if the login fails', async () => {
    const kitWithLogin = await openMailTestKit({ login: { user: 'shop', pass: 'p@ss word' } });
    const { customer, order } = await kitWithLogin.createUnpaidOrder();
    const { mail } = readSettings({
      SMTP_URL: kitWithLogin.mailServer.url.replace('p%40ss', 'wrong'),
      MAIL_FROM: 'a@b.example',
    });
    const { createSmtpSender } = await import('../../../server/mail/smtp');
    await kitWithLogin.sendMail({ sender: createSmtpSender(mail!) });
    expect(await kitWithLogin.rowsOf(order._id)).toMatchObject([{ state: 'queued', tries: 1 }]);
    kitWithLogin.clock.offsetMs = 61_000;
    await kitWithLogin.sendMail();
    expect(kitWithLogin.receivedBy(customer.email)).toHaveLength(1);
    expect(JSON.stringify(kitWithLogin.log.lines)).not.toMatch(/p@ss|wrong/);
    await kitWithLogin.close();
  });
});

describe('Emails with links', () => {
  const HOUR_MS = 3_600_000;
  let kit: MailTestKit;
  beforeAll(async () => {
    kit = await openMailTestKit();
  });
  beforeEach(() => void (kit.clock.offsetMs = 0));
  afterAll(() => kit.close());

  async function newAccount() {
    const email = newEmail();
    const { body } = await callAccounts(kit.origin, 'signUp', { email, password: PASSWORD });
    return { email, idToken: String(body.idToken) };
  }
  const sendCode = async (body: object) =>
    expect((await callAccounts(kit.origin, 'sendOobCode', body)).status).toBe(200);
  const mailOf = async (email: string) =>
    (await kit.deps.db.select().from(mails).where(eq(mails.recipient, email)))[0]!;
  const linkIn = (text: string) => new URL(/^http\S+$/m.exec(text)![0]);

  it('a link that verifies an email arrives by SMTP, and is deleted from the database once it is sent', async () => {
    const { email, idToken } = await newAccount();
    await sendCode({ requestType: 'VERIFY_EMAIL', idToken });
    await kit.sendMail();
    await kit.sendMail();
    const [mail, ...others] = kit.receivedBy(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: email,
      subject: 'Verify your email for Forgeline',
      autoSubmitted: 'auto-generated',
    });
    expect(mail!.text).toContain("If it wasn't you, ignore this email.");
    const link = linkIn(mail!.text);
    expect(mail!.html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`);
    expect(await mailOf(email)).toMatchObject({ state: 'sent', link: null });
    const applied = await callAccounts(kit.origin, 'update', { oobCode: codeOf(link) });
    expect(applied.body).toMatchObject({ email, emailVerified: true });
  });

  it('a link for a new password arrives by SMTP, and a new password ends older access tokens', async () => {
    const { email, idToken } = await newAccount();
    const { body } = await putUser(kit.origin, email, idToken);
    const readProfile = () => callShop(kit.origin, `/profile/${email}`, { token: body.token });
    expect((await readProfile()).status).toBe(200);
    await sendCode({ requestType: 'PASSWORD_RESET', email });
    await kit.sendMail();
    const [mail] = kit.receivedBy(email);
    expect(mail!.subject).toBe('Set a new password for Forgeline');
    const oobCode = codeOf(linkIn(mail!.text));
    expect((await callAccounts(kit.origin, 'resetPassword', { oobCode, newPassword: 'secret-2' })).status).toBe(200);
    expect(await readProfile()).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  });

  it('a link that expires before it can be sent is neither sent nor stored', async () => {
    const { email } = await newAccount();
    await sendCode({ requestType: 'PASSWORD_RESET', email });
    kit.clock.offsetMs = HOUR_MS;
    await kit.sendMail();
    expect(kit.receivedBy(email)).toEqual([]);
    expect(await mailOf(email)).toMatchObject({
      state: 'not sent',
      error: 'The link expired before the email was sent.',
    });
    await sweepOnce(kit.deps);
    expect((await mailOf(email)).link).toBeNull();
  });

  it('npm run mail prints the link until it is sent or has expired', async () => {
    const { email } = await newAccount();
    await sendCode({ requestType: 'PASSWORD_RESET', email });
    const { id, link } = await mailOf(email);
    const runMailCli = (...argv: string[]) => runCli(main, argv, { ...kit.database!.env, DEMO: 'off' });
    expect((await runMailCli('list')).out).toContain(`reset password, to ${email}  queued`);
    expect((await runMailCli('show', String(id))).out).toContain(link);
    await kit.sendMail();
    const { out } = await runMailCli('show', String(id));
    expect(out).toContain('(This link is no longer stored, because it was sent or has expired.)');
    expect(out).not.toContain(codeOf(new URL(link!)));
  });
});
