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

/** A card may still be tried. */
export const PAYABLE: PaymentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export interface PaymentIntent {
  id: string;
  status: PaymentStatus;
  amount: number;
  amountReceived: number;
  currency: string;
  metadata: Record<string, string>;
  clientSecret: string | null;
  /** Whether a card was charged or declined for it. */
  hasCharge: boolean;
  createdAt: Date;
}

export interface IntentDraft {
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

export interface PaymentEvent {
  id: string;
  type: string;
  intentId: string | null;
  createdAt: Date;
  reversals: Reversal[];
}

/** Its calls take some time: never inside a transaction. */
export interface PaymentProvider {
  createIntent(draft: IntentDraft): Promise<PaymentIntent>;
  findIntent(id: string): Promise<PaymentIntent | null>;
  /** Answers the intent as it then is, also when it could not be cancelled; null when there is none. */
  cancelIntent(id: string): Promise<PaymentIntent | null>;
  /** How many charges of the intent failed: not all of them, but at least as many as are allowed. */
  countDeclines(intentId: string): Promise<number>;
  listIntents(since: Date): AsyncIterable<PaymentIntent>;
  /** @returns null when the signature is missing or wrong */
  readEvent(rawBody: Buffer, signature: string | undefined): PaymentEvent | null;
}

/** The provider cannot be reached, is broken or wants us to slow down: nothing is known to have changed. */
export class PaymentProviderDown extends ProblemError {
  constructor(cause?: unknown) {
    super(503, 'payment_provider_unavailable', 'The payment service does not answer. Nothing was changed; try again.', {
      headers: { 'retry-after': '5' },
    });
    this.cause = cause;
  }
}

/** Shorter than what a request may take in all. */
const DEADLINE_MS = 12_000;

/** The provider's answer, or PaymentProviderDown when it takes too long. */
export async function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderDown('too slow')), DEADLINE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** It answers and will not: no customer can mend that, and the operator needs to read why. */
export class PaymentProviderRefused extends Error {
  constructor(cause: unknown) {
    super('The payment provider refused the call.', { cause });
  }
}

const APP = 'forgeline';

export const metadataFor = (shopId: string, orderId: string, n: number): Record<string, string> => ({
  app: APP,
  shop: shopId,
  order_id: orderId,
  attempt: String(n),
});

export const belongsToThisShop = (shopId: string, { metadata }: PaymentIntent): boolean =>
  metadata['app'] === APP && metadata['shop'] === shopId && UUID.test(metadata['order_id'] ?? '');

export const orderIdOf = ({ metadata }: PaymentIntent) => metadata['order_id']!;
export const attemptNumberOf = ({ metadata }: PaymentIntent) => Number(metadata['attempt'] ?? 0);
