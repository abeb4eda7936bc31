import Stripe from 'stripe';
import {
  PaymentProviderDown,
  PaymentProviderRefused,
  RefundRefused,
  withinDeadline,
  type PaymentEvent,
  type PaymentIntent,
  type PaymentProvider,
  type ProviderDispute,
  type IntentStatus,
  type ProviderRefund,
} from './provider';

const MAX_FAILURES_IN_A_ROW = 5;
const BREAKER_PAUSE_MS = 5000;

/**
 * After several failures in a row, rejects all calls for a while, so that an outage does not slow down the shop. Then
 * lets a single call through to test whether the outage is over.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;

  constructor(
    private readonly isFailure: (error: unknown) => boolean,
    private readonly createError: () => Error,
  ) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (now < this.openUntil) throw this.createError();
    if (this.openUntil > 0) this.openUntil = now + BREAKER_PAUSE_MS;
    try {
      const result = await call();
      this.close();
      return result;
    } catch (error) {
      if (this.isFailure(error)) this.fail();
      else this.close();
      throw error;
    }
  }

  private close() {
    this.failures = 0;
    this.openUntil = 0;
  }

  private fail() {
    this.failures += 1;
    if (this.failures >= MAX_FAILURES_IN_A_ROW) this.openUntil = performance.now() + BREAKER_PAUSE_MS;
  }
}

export interface StripeOptions {
  secretKey: string;
  webhookSecret?: string;
  /** Replaces the network for Stripe's SDK. The sandbox's `fetch` calls the sandbox in this process. */
  fetch?: typeof fetch;
}

const CALL_TIMEOUT_MS = 10_000;
/** With two tries, a call ends before the lease of a payment or a refund, also if nobody waits for it anymore. */
const MAX_NETWORK_RETRIES = 1;
const PAGE_SIZE = 100;
const INTENT_ID = /^pi_\w+$/;
const { errors } = Stripe;

/** Errors after which the call may be tried again. A rejected API key is one, because the operator can replace it. */
const OUTAGE_ERRORS = [
  errors.StripeConnectionError,
  errors.StripeAPIError,
  errors.StripeRateLimitError,
  errors.StripeAuthenticationError,
  errors.StripePermissionError,
];

const hasCode = (error: unknown, code: string) => error instanceof errors.StripeError && error.code === code;
/** An intent that is missing at Stripe never existed or belongs to other API keys, so it cannot pay this shop. */
const nullIfMissing = (error: unknown) => {
  if (hasCode(error, 'resource_missing')) return null;
  throw error;
};
/** `idempotency_key_in_use` means that another server is making the same call now, so the call may be tried again. */
const isOutage = (error: unknown) =>
  OUTAGE_ERRORS.some((kind) => error instanceof kind) || hasCode(error, 'idempotency_key_in_use');

const isFailure = (error: unknown) => error instanceof errors.StripeError && (error.statusCode ?? 0) >= 500;

/** Stripe refuses a refund with an invalid request error. Unless the error is an outage, trying again is useless. */
const throwIfRefused = (error: unknown) => {
  const isRefused = error instanceof errors.StripeInvalidRequestError && !isOutage(error);
  throw isRefused ? new RefundRefused(error.code ?? error.type, error) : error;
};

const createdSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) } });

/** Without this parameter, Stripe returns only the id of the payment method. */
const WITH_CARD = { expand: ['payment_method'] };

function cardOf({ payment_method: method }: Stripe.PaymentIntent): PaymentIntent['card'] {
  const card = typeof method === 'object' ? method?.card : undefined;
  return card ? { brand: card.brand, last4: card.last4 } : null;
}

function toPaymentIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  return {
    id: intent.id,
    status: intent.status as IntentStatus,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    clientSecret: intent.client_secret,
    hasCharge: intent.latest_charge !== null,
    card: cardOf(intent),
  };
}

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const toProviderRefund = (refund: Stripe.Refund): ProviderRefund => ({
  id: refund.id,
  intentId: idOf(refund.payment_intent) ?? '',
  status: refund.status ?? 'pending',
  amountCents: refund.amount,
  failureReason: refund.failure_reason ?? null,
  metadata: refund.metadata ?? {},
  createdAt: new Date(refund.created * 1000),
});

const toProviderDispute = ({ id, payment_intent, amount, status }: Stripe.Dispute): ProviderDispute => ({
  id,
  intentId: idOf(payment_intent) ?? '',
  amountCents: amount,
  status,
});

function toPaymentEvent(event: Stripe.Event): PaymentEvent {
  const object = event.data.object as Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute;
  return {
    id: event.id,
    type: event.type,
    intentId: object.object === 'payment_intent' ? object.id : idOf(object.payment_intent),
    createdAt: new Date((event.created ?? 0) * 1000),
    dispute: object.object === 'dispute' ? toProviderDispute(object) : null,
  };
}

function createStripeClient({ secretKey, fetch }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    timeout: CALL_TIMEOUT_MS,
    maxNetworkRetries: MAX_NETWORK_RETRIES,
    telemetry: false,
    ...(fetch ? { httpClient: Stripe.createFetchHttpClient(fetch) } : {}),
  });
}

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const { paymentIntents, charges, refunds, disputes, webhooks } = createStripeClient(options);
  const breaker = new CircuitBreaker(isOutage, () => new PaymentProviderDown());
  const callProvider = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await withinDeadline(breaker.run(call));
    } catch (error) {
      if (isOutage(error)) throw new PaymentProviderDown(error, isFailure(error));
      throw error instanceof errors.StripeError ? new PaymentProviderRefused(error) : error;
    }
  };

  async function* listAll<T extends { id: string }>(
    listPage: (page: Stripe.PaginationParams) => Promise<Stripe.ApiList<T> | null>,
  ) {
    let starting_after: string | undefined;
    do {
      const page = { limit: PAGE_SIZE, ...(starting_after && { starting_after }) };
      const listed = await callProvider(() => listPage(page));
      yield* listed?.data ?? [];
      starting_after = listed?.has_more ? listed.data.at(-1)?.id : undefined;
    } while (starting_after);
  }

  return {
    createIntent: ({ amountCents, idempotencyKey, ...draft }) =>
      callProvider(async () => {
        const params = { ...draft, amount: amountCents, payment_method_types: ['card'] };
        return toPaymentIntent(await paymentIntents.create(params, { idempotencyKey }));
      }),

    async findIntent(id) {
      if (!INTENT_ID.test(id)) return null;
      return callProvider(() => paymentIntents.retrieve(id, WITH_CARD).then(toPaymentIntent, nullIfMissing));
    },

    cancelIntent: (id) =>
      callProvider(() =>
        paymentIntents.cancel(id).then(toPaymentIntent, async (error) => {
          if (!hasCode(error, 'payment_intent_unexpected_state')) return nullIfMissing(error);
          return toPaymentIntent(await paymentIntents.retrieve(id, WITH_CARD));
        }),
      ),

    listDeclines: (id) =>
      callProvider(async () => {
        const { data } = await charges.list({ payment_intent: id, limit: PAGE_SIZE });
        return data
          .filter(({ status }) => status === 'failed')
          .map((charge) => ({ chargeId: charge.id, at: new Date(charge.created * 1000) }));
      }),

    createRefund: ({ intentId, amountCents, metadata, idempotencyKey }) =>
      callProvider(() =>
        refunds
          .create({ payment_intent: intentId, amount: amountCents, metadata }, { idempotencyKey })
          .then(toProviderRefund, throwIfRefused),
      ),

    async listRefunds(intentId) {
      const listed: ProviderRefund[] = [];
      const listPage = (page: Stripe.PaginationParams) => refunds.list({ ...page, payment_intent: intentId });
      for await (const refund of listAll((page) => listPage(page).catch(nullIfMissing)))
        listed.push(toProviderRefund(refund));
      return listed;
    },

    async *listRefundsSince(since) {
      for await (const refund of listAll((page) => refunds.list({ ...page, ...createdSince(since) })))
        yield toProviderRefund(refund);
    },

    async *listDisputesSince(since) {
      for await (const dispute of listAll((page) => disputes.list({ ...page, ...createdSince(since) })))
        yield toProviderDispute(dispute);
    },

    async *listIntents(since) {
      for await (const intent of listAll((page) => paymentIntents.list({ ...page, ...createdSince(since) })))
        yield toPaymentIntent(intent);
    },

    readEvent(rawBody, signature) {
      if (!options.webhookSecret || !signature) return null;
      try {
        return toPaymentEvent(webhooks.constructEvent(rawBody, signature, options.webhookSecret));
      } catch (error) {
        if (error instanceof errors.StripeSignatureVerificationError) return null;
        throw error;
      }
    },
  };
}
