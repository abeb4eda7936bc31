import { and, eq, sql } from 'drizzle-orm';
import { removeInvisibleCharacters } from '../../src/contract/displayName';
import type { Db } from '../db/database';
import { type mails, orders, payments, personalColumns, refunds, shipments, users } from '../db/schema';

type OrderMail = Pick<typeof mails.$inferSelect, 'kind' | 'about'> & { orderId: string };
export type MailFacts = Awaited<ReturnType<typeof selectFacts>> & {
  /** Whether the email replaces an earlier one about the shipment or the offered price. */
  isCorrection: boolean;
};

/**
 * Reads the content of an email just before it is sent, because the order or the address may have changed since it was
 * queued.
 */
async function selectFacts(db: Db, { orderId, kind, about }: OrderMail) {
  const isPaymentOfMail =
    kind === 'payment returned'
      ? eq(payments.intentId, about)
      : and(eq(payments.orderId, orders.id), eq(payments.outcome, 'paid'));
  const [facts] = await db
    .select({
      orderId: orders.id,
      ...personalColumns,
      email: users.email,
      isVerified: users.emailVerified,
      productName: orders.productName,
      quantity: orders.quantity,
      unitPrice: orders.unitPrice,
      state: orders.state,
      holdsStock: orders.holdsStock,
      heldUntil: orders.holdUntil,
      transactionId: payments.intentId,
      invoice: payments.invoice,
      creditNote: refunds.number,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
      paidCents: payments.amountCents,
      refundedCents: refunds.amountCents,
      refundedPieces: refunds.pieces,
      carrier: shipments.carrier,
      tracking: shipments.tracking,
      link: shipments.link,
      note: shipments.note,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.ownerId))
    .leftJoin(payments, isPaymentOfMail)
    .leftJoin(refunds, sql`${refunds.id}::text = ${kind === 'refunded' ? about : ''}`)
    .leftJoin(shipments, eq(shipments.orderId, orders.id))
    .where(eq(orders.id, orderId));
  return facts!;
}

/** Matches line breaks other than `\n`. */
const OTHER_LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * Removes characters with which a customer's text could pass for another part of the email: control characters, which
 * can end a header line, and direction overrides, which reorder the text around them.
 */
const cleanLines = (text: string) =>
  removeInvisibleCharacters(text.replace(OTHER_LINE_BREAKS, '\n').replace(/[^\n\P{Cc}]/gu, ' ')).trim();
const cleanLine = (text: string) => cleanLines(text).replace(/\s+/g, ' ');
const WITH_LINES = ['address', 'note'];
const clean = ([name, value]: [string, unknown]) =>
  typeof value === 'string' ? [name, WITH_LINES.includes(name) ? cleanLines(value) : cleanLine(value)] : [name, value];

export async function readMailFacts(db: Db, mail: OrderMail): Promise<MailFacts> {
  const facts = await selectFacts(db, mail);
  return {
    ...(Object.fromEntries(Object.entries(facts).map(clean)) as typeof facts),
    isCorrection: ['shipped', 'price offered'].includes(mail.kind) && mail.about !== mail.orderId,
  };
}
