import { eq, sql } from 'drizzle-orm';
import type { MailContext } from '../../../server/mail/context';
import { sendQueuedMail } from '../../../server/mail/sendQueuedMail';
import { createSmtpSender } from '../../../server/mail/smtp';
import { mails, users } from '../../../server/db/schema';
import { readSettings } from '../../../server/settings/settings';
import { startMailServer } from '../../support/mailServer';
import { openPaymentTestKit } from '../../support/payments';
import { readMail } from './readMail';
import { collectLog } from '../../support/shop';

export const MAIL_FROM = 'Forgeline <shop@forgeline.example>';

/** Starts a shop and a mail server. `sendMail` sends the emails that are due by the test's clock. */
export async function openMailTestKit(options: Parameters<typeof startMailServer>[0] = {}) {
  const clock = { offsetMs: 0 };
  const now = () => new Date(Date.now() + clock.offsetMs);
  const log = collectLog();
  const mailServer = await startMailServer(options);
  const mailEnv = { SMTP_URL: mailServer.url, MAIL_FROM };
  const kit = await openPaymentTestKit({ withoutWebhooks: true, now, env: mailEnv });
  const admin = await kit.createCustomer('admin');
  const { mail } = readSettings(mailEnv);

  const context = (changes: Partial<MailContext> = {}): MailContext => ({
    ...kit.deps,
    closing: new AbortController().signal,
    publicUrl: kit.origin,
    log: log.logger,
    sender: createSmtpSender(mail!),
    ...changes,
  });
  const sendMail = (changes?: Partial<MailContext>) => sendQueuedMail(context(changes));

  const rowsOf = (orderId: string) =>
    kit.deps.db.select().from(mails).where(eq(mails.orderId, orderId)).orderBy(mails.id);
  const statesOf = async (orderId: string) => (await rowsOf(orderId)).map(({ kind, state }) => `${kind}: ${state}`);
  const receivedBy = (email: string) => mailServer.received.filter(({ to }) => to.includes(email)).map(readMail);
  const setUser = (id: string, values: Partial<typeof users.$inferInsert>) =>
    kit.deps.db.update(users).set(values).where(eq(users.id, id));

  const post = (path: string, body: object) => kit.call(admin, 'POST', path, body);
  const shipment = { carrier: 'UPS', tracking: '1Z 999', link: 'https://ups.example/1Z999', note: 'Two crates.' };
  const ship = (orderId: string) => post(`/order/${orderId}/shipment`, shipment);
  const refund = (orderId: string) => post(`/order/${orderId}/refund`, { reason: 'damaged', restock: false });
  const offer = (orderId: string, price: number) => kit.call(admin, 'PUT', `/order/${orderId}/price`, { price });

  async function createPaidOrder(options: Parameters<typeof kit.createChargedOrder>[0] = {}) {
    const chargedOrder = await kit.createChargedOrder(options);
    await kit.patchOrder(chargedOrder.customer, chargedOrder.order._id, chargedOrder.intentId);
    return chargedOrder;
  }

  /** Charges the card for an order whose hold then ends and whose tool is sold out, so that it can no longer be paid. */
  async function createLatePayment() {
    const chargedOrder = await kit.createChargedOrder({ quantity: 2, stock: 10 });
    await kit.endHold(chargedOrder.order._id);
    await kit.queryRows(sql`
      update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0
      where id = ${chargedOrder.tool.id}`);
    await kit.patchOrder(chargedOrder.customer, chargedOrder.order._id, chargedOrder.intentId);
    return chargedOrder;
  }

  async function close() {
    await kit.close();
    await mailServer.stop();
  }
  const more = { clock, log, admin, mailServer, context, sendMail, rowsOf, statesOf, receivedBy, setUser };
  return { ...kit, ...more, ship, refund, offer, createPaidOrder, createLatePayment, close };
}

export type MailTestKit = Awaited<ReturnType<typeof openMailTestKit>>;
