import { formatCents, formatWithCommas } from '../../src/contract/formatWithCommas';
import { orderNumber } from '../../src/contract/orderNumber';
import { paymentPath } from '../../src/contract/orderPaths';
import { describeShipping } from '../../src/contract/terms';
import type { Mailbox } from '../settings/mail';
import { toHtml } from './mailHtml';
import { formatShopTime } from './formatShopTime';
import type { MailFacts } from './mailFacts';
import {
  cardRow,
  creditNoteRow,
  deliveryRows,
  invoiceRow,
  productRows,
  shipmentRows,
  transactionIdRow,
  type MailContent,
} from './mailContent';
import { toText } from './mailText';
import type { OrderMailKind } from './outbox';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** What an email says. */
type MailFactsAndTerms = MailFacts & { shipWithinDays: number };
type Template = (
  facts: MailFactsAndTerms,
) => Pick<MailContent, 'subject' | 'title' | 'stamp' | 'paragraphs' | 'rows'> & { buttonLabel: string };

/** Describes the order's current state, because the email may have been delayed. */
function describeNextStep({ state, holdsStock, heldUntil, isVerified, shipWithinDays }: MailFactsAndTerms): string {
  const whereOffersAppear = isVerified ? "we'll email you" : "you'll see it in My Orders";
  if (state === 'unpriced')
    return `You can't pay for this order yet, because it has no price. If we can offer you one, ${whereOffersAppear}.`;
  if (state !== 'unpaid') return 'You can check the status of your order at any time.';
  return holdsStock && heldUntil
    ? `We reserved your tools until ${formatShopTime(heldUntil)}. Pay by card before then. ${describeShipping(shipWithinDays)}.`
    : "We're no longer holding your tools, but you can still pay while they're in stock.";
}

const payLabel = ({ state }: MailFacts) => (state === 'unpaid' ? 'Pay for your order' : 'View your order');

/**
 * Anyone can sign up with a stranger's address and place orders. So as long as the address is not verified, the email
 * about a new order contains no text that the customer typed, and no email about an offer is sent.
 */
const KINDS_ABOUT_PAYING: OrderMailKind[] = ['order received', 'price offered'];
const canContainTypedText = (kind: OrderMailKind, { isVerified }: MailFacts) =>
  isVerified || !KINDS_ABOUT_PAYING.includes(kind);

const isPartRefunded = ({ refundedCents, paidCents }: MailFacts) =>
  refundedCents !== null && refundedCents !== paidCents;
const piecesOf = (facts: MailFacts) =>
  facts.refundedPieces && isPartRefunded(facts)
    ? ` for ${formatWithCommas(facts.refundedPieces)} of ${formatWithCommas(facts.quantity)} pieces`
    : '';

const TEMPLATES: Record<OrderMailKind, Template> = {
  'order received': (facts) => ({
    subject: `We received your order ${orderNumber(facts.orderId)}`,
    title: 'Thanks for your order',
    paragraphs: [describeNextStep(facts)],
    rows: [...productRows(facts), ...(facts.isVerified ? deliveryRows(facts) : [])],
    buttonLabel: payLabel(facts),
  }),
  'payment received': (facts) => ({
    subject: `Receipt for your order ${orderNumber(facts.orderId)}`,
    title: 'We received your payment',
    stamp: 'Paid',
    paragraphs: [`Thank you. ${describeShipping(facts.shipWithinDays)}, and we'll email you again when it does.`],
    rows: [
      ...invoiceRow(facts),
      ...productRows(facts),
      ...deliveryRows(facts),
      ...cardRow(facts),
      ...transactionIdRow(facts),
    ],
    buttonLabel: 'View your receipt',
  }),
  'price offered': (facts) => ({
    subject: `We have a price for your order ${orderNumber(facts.orderId)}`,
    title: facts.isCorrection ? 'We corrected the price of your order' : 'Your order now has a price',
    paragraphs: [
      ...(facts.isCorrection ? ['This replaces the price in our last email.'] : []),
      describeNextStep(facts),
    ],
    rows: [...productRows(facts), ...deliveryRows(facts)],
    buttonLabel: payLabel(facts),
  }),
  shipped: (facts) => ({
    subject: `Your order ${orderNumber(facts.orderId)} is on its way`,
    title: facts.isCorrection ? 'We corrected your shipment' : 'Your order shipped',
    stamp: 'Shipped',
    paragraphs: [
      ...(facts.isCorrection ? ['This replaces the shipping details in our last email.'] : []),
      `Your tools are on their way with ${facts.carrier ?? 'the carrier'}.`,
      ...(facts.note ? [facts.note] : []),
    ],
    rows: [...shipmentRows(facts), ...productRows(facts), ...deliveryRows(facts)],
    buttonLabel: 'View your order',
  }),
  refunded: (facts) => ({
    subject: `We refunded your order ${orderNumber(facts.orderId)}`,
    title: isPartRefunded(facts) ? 'We refunded part of your payment' : 'We refunded your payment',
    stamp: 'Refunded',
    paragraphs: [
      `We sent ${formatCents(facts.refundedCents ?? facts.paidCents ?? 0)} back to your card${piecesOf(facts)}. ` +
        'Banks usually take 5 to 10 days to show it.',
    ],
    rows: [...creditNoteRow(facts), ...productRows(facts), ...invoiceRow(facts), ...transactionIdRow(facts)],
    buttonLabel: 'View your order',
  }),
  'payment returned': (facts) => ({
    subject: `We're refunding your payment for order ${orderNumber(facts.orderId)}`,
    title: "We're refunding your payment",
    paragraphs: [
      `Your payment of ${formatCents(facts.paidCents ?? 0)} arrived when this order could no longer be paid. ` +
        "We're refunding all of it to your card, and banks usually take 5 to 10 days to show it. " +
        "You don't need to do anything.",
    ],
    rows: [{ label: 'Product', value: facts.productName }, ...transactionIdRow(facts)],
    buttonLabel: 'View your orders',
  }),
};

const nameOf = (kind: OrderMailKind, facts: MailFacts) => (canContainTypedText(kind, facts) ? facts.client : '');
const greetingOf = (name: string) => (name ? `Hello ${name},` : 'Hello,');

export const recipientOf = (kind: OrderMailKind, facts: MailFacts): Mailbox => ({
  name: nameOf(kind, facts),
  address: facts.email ?? 'nobody',
});

/** @returns the reason why the email is no longer wanted, or undefined */
export function reasonNotToSend(kind: OrderMailKind, facts: MailFacts): string | undefined {
  const { email, isVerified, state } = facts;
  if (email === null) return 'The customer no longer has this address.';
  if (kind === 'price offered' && !isVerified) return 'The address is not verified.';
  if (state === 'deleted' && KINDS_ABOUT_PAYING.includes(kind))
    return 'The order was deleted before the email was sent.';
  return undefined;
}

export function renderMail(kind: OrderMailKind, facts: MailFactsAndTerms, publicUrl: string): RenderedMail {
  const path = kind === 'payment returned' ? '/dashboard/myorder' : paymentPath(facts.orderId);
  const { buttonLabel, ...parts } = TEMPLATES[kind](facts);
  const content = {
    ...parts,
    orderNumber: `Order ${orderNumber(facts.orderId)}`,
    greeting: greetingOf(nameOf(kind, facts)),
    button: { label: buttonLabel, url: publicUrl + path },
  };
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
}
