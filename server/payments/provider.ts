import type { PaidCard } from '../../src/contract/entities';
import { ProblemError } from '../http/problems';
import { UUID } from '../http/textValidation';

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';

/** The states in which the customer can still pay by card. */
export const PAYABLE_STATUSES: IntentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export interface PaymentIntent {
  id: string;
  status: IntentStatus;
  amountCents: number;
  receivedCents: number;
  currency: string;
  metadata: Record<string, string>;
  clientSecret: string | null;
  /** Whether the intent has a charge, either successful or declined. */
  hasCharge: boolean;
  /** The customer's card. Only `findIntent` and `cancelIntent` return it, and only if a card was sent. */
  card: PaidCard | null;
}

export interface Decline {
  chargeId: string;
  at: Date;
}

export interface NewIntent {
  amountCents: number;
  currency: string;
  metadata: Record<string, string>;
  idempotencyKey: string;
}

/** A dispute as the payment provider reports it. */
export interface ProviderDispute {
  id: string;
  intentId: string;
  amountCents: number;
  status: string;
}

/** A refund as it is stored at the provider. */
export interface ProviderRefund {
  id: string;
  intentId: string;
  /** One of Stripe's states: `pending`, `requires_action`, `succeeded`, `failed` or `canceled`. */
  status: string;
  amountCents: number;
  failureReason: string | null;
  metadata: Record<string, string>;
  createdAt: Date;
}

export interface RefundCall {
  intentId: string;
  amountCents: number;
  metadata: Record<string, string>;
  idempotencyKey: string;
}

export interface PaymentEvent {
  id: string;
  type: string;
  /** The payment that it is about. */
  intentId: string | null;
  createdAt: Date;
  dispute: ProviderDispute | null;
}

/** The payment provider's API. It must not be called inside a transaction, because a call can take seconds. */
export interface PaymentProvider {
  createIntent(draft: NewIntent): Promise<PaymentIntent>;
  findIntent(id: string): Promise<PaymentIntent | null>;
  /** @returns the intent after the call, canceled or not, or null if there is no such intent */
  cancelIntent(id: string): Promise<PaymentIntent | null>;
  /** @returns the intent's newest declined charges, at most 100, which is more than any limit needs */
  listDeclines(intentId: string): Promise<Decline[]>;
  /**
   * Refunds a payment or a part of it.
   * @throws RefundRefused if the provider refuses for good
   */
  createRefund(call: RefundCall): Promise<ProviderRefund>;
  /** @returns all refunds of one payment, newest first */
  listRefunds(intentId: string): Promise<ProviderRefund[]>;
  /** @returns all refunds that were created at or after this time, newest first */
  listRefundsSince(since: Date): AsyncIterable<ProviderRefund>;
  /** @returns all disputes that were opened at or after this time, newest first */
  listDisputesSince(since: Date): AsyncIterable<ProviderDispute>;
  listIntents(since: Date): AsyncIterable<PaymentIntent>;
  /** @returns null if the signature is missing or wrong */
  readEvent(rawBody: Buffer, signature: string | undefined): PaymentEvent | null;
}

/** The provider cannot be reached, is failing or is limiting our calls. The call may be tried again. */
export class PaymentProviderDown extends ProblemError {
  /** @param hasFailed whether the provider answered that it failed. It may repeat that for each call with the same key. */
  constructor(
    cause?: unknown,
    readonly hasFailed = false,
  ) {
    super(
      503,
      'payment_provider_unavailable',
      'The payment service is not responding. Nothing was changed. Try again.',
      { retryAfter: 5 },
    );
    this.cause = cause;
  }
}

/** Must be shorter than the response timeout, so that the customer gets this error, which is more exact. */
const CALL_DEADLINE_MS = 12_000;

/** @throws PaymentProviderDown if the provider takes too long */
export async function withinDeadline<T>(result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderDown('too slow')), CALL_DEADLINE_MS);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The provider has rejected the call for a reason that the customer can't fix. It is logged as an error. */
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

interface SentRefund {
  id: string;
  orderId: string | null;
  tries: number;
}

/** If the response to a refund is lost, the shop does not know the refund's id. Then `refund` names its row. */
export const refundMetadataFor = (shopId: string, { id, orderId, tries }: SentRefund): Record<string, string> => ({
  app: APP,
  shop: shopId,
  ...(orderId ? { order_id: orderId } : {}),
  refund: id,
  try: String(tries),
});

/** @returns whether the shop sent this refund for the row. The previous version named only the try. */
export const isSentFor = ({ id, tries }: SentRefund, { metadata }: ProviderRefund): boolean =>
  metadata['refund'] ? metadata['refund'] === id : metadata['try'] === String(tries);

export const belongsToThisShop = (shopId: string, { metadata }: PaymentIntent): boolean =>
  metadata['app'] === APP && metadata['shop'] === shopId && UUID.test(metadata['order_id'] ?? '');

export const orderIdOf = ({ metadata }: PaymentIntent) => metadata['order_id']!;
export const attemptNumberOf = ({ metadata }: PaymentIntent) => Number(metadata['attempt'] ?? 0);
