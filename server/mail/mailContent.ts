import { formatDollars, formatWithCommas } from '../../src/contract/formatWithCommas';
import { describeCard } from '../../src/contract/describeCard';
import { NO_EXTRA_CHARGES } from '../../src/contract/terms';
import { trackingLinkOf } from '../../src/contract/trackingLink';
import type { MailFacts } from './mailFacts';

/** A row of the table in an email. */
export interface ContentRow {
  label: string;
  value: string;
  /** If set, the value links to this URL. */
  url?: string;
  isTotal?: boolean;
}

/** The content of an email. `mailHtml.ts` and `mailText.ts` turn it into HTML and plain text. */
export interface MailContent {
  subject: string;
  title: string;
  /** For example "Order 76395BBD", as in the subject. Undefined if the email is not about an order. */
  orderNumber?: string;
  /** What has happened to the order, in one word. */
  stamp?: string;
  greeting: string;
  paragraphs: string[];
  rows: ContentRow[];
  button: { label: string; url: string };
}

export function productRows({ productName, quantity, unitPrice }: MailFacts): ContentRow[] {
  const rows = [
    { label: 'Product', value: productName },
    { label: 'Quantity', value: formatWithCommas(quantity) },
  ];
  if (unitPrice === null) return rows;
  const total = { label: 'Total', value: formatDollars(unitPrice * quantity), isTotal: true };
  const extras = { label: 'Delivery and tax', value: NO_EXTRA_CHARGES };
  return [...rows, { label: 'Price each', value: formatDollars(unitPrice) }, total, extras];
}

export const deliveryRows = ({ address, phone, reference }: MailFacts): ContentRow[] => [
  { label: 'Delivery address', value: address },
  { label: 'Phone', value: phone },
  ...(reference ? [{ label: 'Your reference', value: reference }] : []),
];

const rowOf = (label: string, value: string | null): ContentRow[] => (value === null ? [] : [{ label, value }]);
export const invoiceRow = ({ invoice }: MailFacts) => rowOf('Invoice', invoice);
export const creditNoteRow = ({ creditNote }: MailFacts) => rowOf('Credit note', creditNote);
export const transactionIdRow = ({ transactionId }: MailFacts) => rowOf('Transaction', transactionId);
export const cardRow = ({ cardBrand: brand, cardLast4: last4 }: MailFacts): ContentRow[] =>
  brand && last4 ? [{ label: 'Paid with', value: describeCard({ brand, last4 }) }] : [];

export function shipmentRows({ carrier, tracking, link }: MailFacts): ContentRow[] {
  const found = carrier && tracking ? trackingLinkOf({ link, carrier, tracking }) : undefined;
  const url = found?.startsWith('/') ? undefined : found;
  return [
    { label: 'Carrier', value: carrier ?? '' },
    { label: 'Tracking number', value: tracking ?? '', url },
  ];
}
