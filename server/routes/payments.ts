import { Type } from 'typebox';
import { Id, Intent, StartPaymentBody, Order, PaymentDraft } from '../../src/contract/entities';
import type { Deps } from '../deps';
import { handleWebhookEvent } from '../payments/webhook';
import { registerPaymentGauges } from '../payments/paymentMetrics';
import { startPayment } from '../payments/startPayment';
import { confirmPayment } from '../payments/settlePayment';
import { badSignature } from '../payments/paymentProblems';
import { logSecurityEvent } from '../auth/securityEvents';
import type { App } from '../http/fastify';
import { limitCallsPerMinute } from '../http/rateLimit';

const ById = Type.Object({ id: Id });
const ByOrder = Type.Object({ order: Type.Optional(Type.String()) });
const WEBHOOK_BODY_LIMIT = 256 * 1024;

export function paymentRoutes(app: App, deps: Deps): void {
  const { access, limit } = deps;
  const onRequest = [access.requireUser, limitCallsPerMinute(limit, 'payment')];
  registerPaymentGauges(deps.metrics, deps);

  app.post(
    '/create-payment-intent',
    {
      onRequest,
      schema: {
        summary: "Starts or continues the payment of the caller's order.",
        querystring: ByOrder,
        body: StartPaymentBody,
        response: { 200: Intent },
      },
    },
    (request) => {
      const { user, query, body } = request;
      request.orderId = query.order;
      return startPayment(deps, user, { orderId: query.order, totalPrice: body.totalPrice, address: request.ip });
    },
  );

  app.patch(
    '/order/:id',
    {
      onRequest,
      schema: {
        summary: "Reads the payment of the caller's order at the payment provider, and records it.",
        params: ById,
        body: PaymentDraft,
        response: { 200: Order },
      },
    },
    ({ user, params, body }) => confirmPayment(deps, user, params.id, body),
  );

  if (deps.hasWebhooks) void app.register(async (scope) => registerWebhook(scope, deps));
}

/** The body stays a buffer, because Stripe signs the exact bytes. */
function registerWebhook(app: App, deps: Deps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: WEBHOOK_BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/webhooks/stripe', { bodyLimit: WEBHOOK_BODY_LIMIT, schema: { hide: true } as object }, async (request) => {
    // Never a list, because Node joins a header that is repeated.
    const signature = request.headers['stripe-signature'] as string | undefined;
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = deps.provider.readEvent(rawBody, signature);
    if (!event) {
      logSecurityEvent(request, 'bad webhook signature', { code: 'bad_signature' });
      throw badSignature();
    }
    request.intentId = event.intentId ?? undefined;
    await handleWebhookEvent(deps, event);
    return { received: true };
  });
}
