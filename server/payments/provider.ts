import { ProblemError } from '../http/problems';
import { UUID } from '../http/textValidation';

export type PaymentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';

/** In these states the customer can still try a card. */
export const PAYABLE: PaymentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export interface PaymentIntent {
  id: string;
  status: PaymentStatus;
  amount: number;
  amountReceived: number;
  currency: string;
  metadata: Record<string, string>;
  clientSecret: string | null;
  /** Whether any card was charged or declined for this intent. */
  hasCharge: boolean;
  createdAt: Date;
}

export interface NewIntent {
  amountCents: number;
  currency: string;
  metadata: Record<string, string>;
  idempotencyKey: string;
}

/** A refund or dispute, as the provider reports it. */
export interface Reversal {
  id: string;
  kind: 'refund' | 'dispute';
  intentId: string;
  amountCents: number;
  status: string;
}

/** A refund of one payment, as the provider knows it. */
export interface ProviderRefund {
  id: string;
  intentId: string;
  /** In the provider's words: `pending`, `requires_action`, `succeeded`, `failed` or `canceled`. */
  status: string;
  amountCents: number;
  failureReason: string | null;
  metadata: Record<string, string>;
  createdAt: Date;
}

export interface RefundCall {
  intentId: string;
  metadata: Record<string, string>;
  idempotencyKey: string;
}

export interface PaymentEvent {
  id: string;
  type: string;
  intentId: string | null;
  createdAt: Date;
  reversals: Reversal[];
}

/** The payment provider's API. Never call it inside a transaction: a call can take seconds. */
export interface PaymentProvider {
  createIntent(draft: NewIntent): Promise<PaymentIntent>;
  findIntent(id: string): Promise<PaymentIntent | null>;
  /** @returns the intent after the call, even if it could not be canceled, or null when there is none */
  cancelIntent(id: string): Promise<PaymentIntent | null>;
  /** @returns how many of the intent's newest charges failed, which is exact up to the allowed number */
  countDeclines(intentId: string): Promise<number>;
  /** Refunds what is left of a payment. Throws RefundRefused when the provider never will. */
  createRefund(call: RefundCall): Promise<ProviderRefund>;
  /** All refunds of one payment, newest first. */
  listRefunds(intentId: string): Promise<ProviderRefund[]>;
  /** All refunds that were created since then, newest first. */
  listRefundsSince(since: Date): AsyncIterable<ProviderRefund>;
  listIntents(since: Date): AsyncIterable<PaymentIntent>;
  /** @returns null when the signature is missing or wrong */
  readEvent(rawBody: Buffer, signature: string | undefined): PaymentEvent | null;
}

/** The provider is unreachable, failing or rate-limiting. As far as we know, nothing was changed. */
export class PaymentProviderDown extends ProblemError {
  constructor(cause?: unknown) {
    super(
      503,
      'payment_provider_unavailable',
      'The payment service is not responding. Nothing was changed. Try again.',
      {
        headers: { 'retry-after': '5' },
      },
    );
    this.cause = cause;
  }
}

/** Must be shorter than the timeout of a whole request. */
const DEADLINE_MS = 12_000;

/** Throws PaymentProviderDown when the provider takes too long. */
export async function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderDown('too slow')), DEADLINE_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The provider responded and rejected the call. The customer can't fix that, so the operator must see the cause. */
export class PaymentProviderRefused extends Error {
  constructor(cause: unknown) {
    super('The payment provider rejected the call.', { cause });
  }
}

/** The provider refuses a refund for good, for example because the customer disputes the payment. */
export class RefundRefused extends Error {
  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super(`The payment provider refused the refund: ${code}.`, { cause });
  }
}

const APP = 'forgeline';

export const metadataFor = (shopId: string, orderId: string, n: number): Record<string, string> => ({
  app: APP,
  shop: shopId,
  order_id: orderId,
  attempt: String(n),
});

/** The number of the try distinguishes a failed refund from a later try, whose response may still be missing. */
export const refundMetadataFor = (shopId: string, orderId: string | null, tries: number): Record<string, string> => ({
  app: APP,
  shop: shopId,
  ...(orderId ? { order_id: orderId } : {}),
  try: String(tries),
});

export const belongsToThisShop = (shopId: string, { metadata }: PaymentIntent): boolean =>
  metadata['app'] === APP && metadata['shop'] === shopId && UUID.test(metadata['order_id'] ?? '');

export const orderIdOf = ({ metadata }: PaymentIntent) => metadata['order_id']!;
export const attemptNumberOf = ({ metadata }: PaymentIntent) => Number(metadata['attempt'] ?? 0);
export const refundTryOf = ({ metadata }: ProviderRefund) => Number(metadata['try'] ?? -1);
