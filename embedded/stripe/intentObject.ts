import type Stripe from 'stripe';
import type { sandboxIntents } from './schema';
import type { ApiKeyKind } from './sandboxKeys';
import { unixSeconds } from './ids';
import type { ErrorBody } from './stripeErrors';

export type IntentRow = Omit<typeof sandboxIntents.$inferSelect, 'version'>;

/** The content of an intent's JSON column `body`. */
export interface IntentDetails {
  description: string | null;
  receiptEmail: string | null;
  canceledAt: number | null;
  cancellationReason: string | null;
  lastError: ErrorBody | null;
  nextAction: Stripe.PaymentIntent.NextAction | null;
  /** Newest first. Missing in intents that earlier versions stored. */
  charges?: Stripe.Charge[];
}

/**
 * Without a limit, confirming an intent again and again would make its row ever larger. The limit does not matter to
 * the shop, which reads far fewer charges.
 */
const MAX_CHARGES = 100;

export const prependCharge = (row: IntentRow, charge: Stripe.Charge) =>
  [charge, ...chargesOf(row)].slice(0, MAX_CHARGES);
export const chargesOf = (row: IntentRow): Stripe.Charge[] => detailsOf(row).charges ?? [];
export const detailsOf = (row: IntentRow) => row.body as IntentDetails;

export function intentObject(row: IntentRow) {
  const details = detailsOf(row);
  return {
    id: row.id,
    object: 'payment_intent',
    ...moneyOf(row),
    ...CONSTANT_FIELDS,
    canceled_at: details.canceledAt,
    cancellation_reason: details.cancellationReason,
    client_secret: row.clientSecret,
    created: unixSeconds(row.createdAt),
    description: details.description,
    last_payment_error: details.lastError,
    latest_charge: row.chargeId,
    metadata: row.metadata as Stripe.Metadata,
    next_action: details.nextAction,
    payment_method: row.paymentMethodId,
    receipt_email: details.receiptEmail,
    status: row.status,
  } satisfies Stripe.PaymentIntent;
}

const moneyOf = (row: IntentRow) => ({
  amount: row.amount,
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: row.amountReceived,
  currency: row.currency,
});

const CONSTANT_FIELDS = {
  allowed_payment_method_types: null,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  capture_method: 'automatic_async',
  confirmation_method: 'automatic',
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: false,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {
    card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
  },
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>;

/** The fields that a caller with only the client secret gets. As with Stripe, the metadata are not among them. */
const PUBLIC_FIELDS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies (keyof Stripe.PaymentIntent)[];

export function intentVisibleTo(caller: ApiKeyKind, row: IntentRow): Partial<Stripe.PaymentIntent> {
  const intent: Stripe.PaymentIntent = intentObject(row);
  if (caller === 'secret') return intent;
  return Object.fromEntries(PUBLIC_FIELDS.map((name) => [name, intent[name]]));
}
