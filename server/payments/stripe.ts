import Stripe from 'stripe';
import { MAX_DECLINES } from '../../src/contract/limits';
import {
  PaymentProviderDown,
  PaymentProviderRefused,
  withinDeadline,
  type PaymentEvent,
  type PaymentIntent,
  type PaymentProvider,
  type PaymentStatus,
} from './provider';
import { reversalsOf } from './stripeReversals';

const FAILURES = 5;
const PAUSE_MS = 5000;

/** After several failures in a row, asks nothing for a while; then one call tries whether it is over. */
export class Breaker {
  private failures = 0;
  private openUntil = 0;

  constructor(
    private readonly isFailure: (error: unknown) => boolean,
    private readonly refusal: () => Error,
  ) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (now < this.openUntil) throw this.refusal();
    if (this.openUntil > 0) this.openUntil = now + PAUSE_MS;
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
    if (this.failures >= FAILURES) this.openUntil = performance.now() + PAUSE_MS;
  }
}

export interface StripeOptions {
  secretKey: string;
  webhookSecret?: string;
  /** In place of the network: the sandbox of this process. */
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
const PAGE = 100;
/** The newest charges of an intent, of which at most one did not fail. */
const CHARGES = 2 * MAX_DECLINES;
const INTENT_ID = /^pi_\w+$/;
const { errors } = Stripe;

/** A key that is refused is an outage too: no customer can mend it. */
const OUTAGES = [
  errors.StripeConnectionError,
  errors.StripeAPIError,
  errors.StripeRateLimitError,
  errors.StripeAuthenticationError,
  errors.StripePermissionError,
];

const hasCode = (error: unknown, code: string) => error instanceof errors.StripeError && error.code === code;
/** Never made, or with other keys: nobody can pay it with these. */
const nullIfMissing = (error: unknown) => {
  if (hasCode(error, 'resource_missing')) return null;
  throw error;
};
/** Another server is making the same thing just now: to be asked again, as when there is no answer. */
const isOutage = (error: unknown) =>
  OUTAGES.some((kind) => error instanceof kind) || hasCode(error, 'idempotency_key_in_use');

function intentOf(intent: Stripe.PaymentIntent): PaymentIntent {
  return {
    id: intent.id,
    status: intent.status as PaymentStatus,
    amount: intent.amount,
    amountReceived: intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    clientSecret: intent.client_secret,
    hasCharge: intent.latest_charge !== null,
    createdAt: new Date(intent.created * 1000),
  };
}

function eventOf(event: Stripe.Event): PaymentEvent {
  const object = event.data.object as { object?: string; id?: string; payment_intent?: unknown };
  const charged = typeof object.payment_intent === 'string' ? object.payment_intent : null;
  return {
    id: event.id,
    type: event.type,
    intentId: object.object === 'payment_intent' ? (object.id ?? null) : charged,
    createdAt: new Date((event.created ?? 0) * 1000),
    reversals: reversalsOf(event.data.object as object),
  };
}

function connect({ secretKey, fetch }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(fetch ? { httpClient: Stripe.createFetchHttpClient(fetch) } : {}),
  });
}

export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { paymentIntents, charges, webhooks } = connect(options);
  const breaker = new Breaker(isOutage, () => new PaymentProviderDown());
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await withinDeadline(breaker.run(call));
    } catch (error) {
      if (isOutage(error)) throw new PaymentProviderDown(error);
      throw error instanceof errors.StripeError ? new PaymentProviderRefused(error) : error;
    }
  };

  return {
    createIntent: ({ amountCents, idempotencyKey, ...draft }) =>
      ask(async () => {
        const params = { ...draft, amount: amountCents, payment_method_types: ['card'] };
        return intentOf(await paymentIntents.create(params, { idempotencyKey }));
      }),

    async findIntent(id) {
      if (!INTENT_ID.test(id)) return null;
      return ask(() => paymentIntents.retrieve(id).then(intentOf, nullIfMissing));
    },

    cancelIntent: (id) =>
      ask(() =>
        paymentIntents.cancel(id).then(intentOf, async (error) => {
          if (!hasCode(error, 'payment_intent_unexpected_state')) return nullIfMissing(error);
          return intentOf(await paymentIntents.retrieve(id));
        }),
      ),

    countDeclines: (id) =>
      ask(async () => {
        const { data } = await charges.list({ payment_intent: id, limit: CHARGES });
        return data.filter(({ status }) => status === 'failed').length;
      }),

    async *listIntents(since) {
      const gte = Math.floor(since.getTime() / 1000);
      let page = await ask(() => paymentIntents.list({ created: { gte }, limit: PAGE }));
      while (page.data.length > 0) {
        yield* page.data.map(intentOf);
        const starting_after = page.data.at(-1)?.id;
        if (!page.has_more) return;
        page = await ask(() => paymentIntents.list({ created: { gte }, limit: PAGE, starting_after }));
      }
    },

    readEvent(rawBody, signature) {
      if (!options.webhookSecret || !signature) return null;
      try {
        return eventOf(webhooks.constructEvent(rawBody, signature, options.webhookSecret));
      } catch (error) {
        if (error instanceof errors.StripeSignatureVerificationError) return null;
        throw error;
      }
    },
  };
}
