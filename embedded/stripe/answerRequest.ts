import type { SandboxResponse, SandboxCall } from './call';
import { readApiKeyKind, requireSecretKey, type Keys } from './sandboxKeys';
import { cancelIntent } from './cancelIntent';
import { authenticateIntent, confirmIntent } from './confirmIntent';
import { ConcurrentChange } from './commitChange';
import { DroppedConnection, applyFault, type Fault } from './faults';
import { readForm } from './form';
import { readIdempotencyKey } from './idempotency';
import { createIntent } from './createIntent';
import { createRefund } from './createRefund';
import { listCharges, listDisputes, listIntents, listRefunds } from './lists';
import type { StripeSandboxOptions } from './sandboxOptions';
import { createPaymentMethod } from './paymentMethods';
import { readIntent } from './readIntent';
import { errorResponse, invalidRequest, StripeErrorResponse } from './stripeErrors';

export interface SandboxRequest {
  method: string;
  path: string;
  /** The form-encoded parameters, from the query of a GET or the body of a POST. */
  encodedParameters: string;
  headers: { authorization?: string; idempotencyKey?: string; clientSecret?: string };
}

export interface SandboxContext extends Pick<StripeSandboxOptions, 'db' | 'publicUrl' | 'now' | 'faults'> {
  keys: Keys;
  /** Called after each POST, because there may be new events to deliver. */
  onChange: () => void;
}

type Handler = (call: SandboxCall) => Promise<SandboxResponse>;
type Route = [method: string, path: RegExp, access: 'publishable' | 'secret', handle: Handler];

/**
 * `publishable` routes accept the publishable key as well as the secret key. With the publishable key, a call about an
 * intent must also contain that intent's client secret.
 */
const ROUTES: Route[] = [
  ['POST', /^\/v1\/payment_methods$/, 'publishable', createPaymentMethod],
  ['POST', /^\/v1\/payment_intents$/, 'secret', createIntent],
  ['GET', /^\/v1\/payment_intents$/, 'secret', listIntents],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, 'publishable', readIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/confirm$/, 'publishable', confirmIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, 'secret', cancelIntent],
  ['GET', /^\/v1\/charges$/, 'secret', listCharges],
  ['POST', /^\/v1\/refunds$/, 'secret', createRefund],
  ['GET', /^\/v1\/refunds$/, 'secret', listRefunds],
  ['GET', /^\/v1\/disputes$/, 'secret', listDisputes],
  ['POST', /^\/v1\/sandbox\/payment_intents\/([^/]+)\/authenticate$/, 'publishable', authenticateIntent],
];

function findRoute({ method, path }: SandboxRequest) {
  for (const [routeMethod, pattern, access, handle] of ROUTES) {
    const match = routeMethod === method && pattern.exec(path);
    if (match) return { access, handle, id: match[1] ?? '' };
  }
  throw invalidRequest(404, `Unrecognized request URL (${method}: ${path}).`);
}

/**
 * A call that conflicts with a concurrent one is tried at most this often. Each conflict means that another call has
 * succeeded, so calls cannot block each other forever.
 */
const MAX_CONFLICTS = 50;

async function handleRequest(context: SandboxContext, request: SandboxRequest): Promise<SandboxResponse> {
  const { method, path, encodedParameters, headers } = request;
  const caller = readApiKeyKind(headers.authorization, context.keys);
  const { access, handle, id } = findRoute(request);
  if (access === 'secret') requireSecretKey(caller);
  const form = readForm(encodedParameters);
  const clientSecret = typeof form.client_secret === 'string' ? form.client_secret : (headers.clientSecret ?? null);
  const sentKey = (method === 'POST' && headers.idempotencyKey) || null;
  const idempotencyKey = sentKey === null ? null : readIdempotencyKey(caller, sentKey, path, encodedParameters);
  const { db, publicUrl } = context;
  const call = { db, caller, form, id, clientSecret, idempotencyKey, publicUrl };
  for (let conflict = 1; ; conflict++) {
    try {
      return await handle({ ...call, now: context.now() });
    } catch (error) {
      if (!(error instanceof ConcurrentChange) || conflict === MAX_CONFLICTS) throw error;
    }
  }
}

async function handleWithErrors(
  context: SandboxContext,
  request: SandboxRequest,
  fault: Fault | undefined,
): Promise<SandboxResponse> {
  try {
    await applyFault(fault);
    return await handleRequest(context, request);
  } catch (error) {
    if (error instanceof StripeErrorResponse) return errorResponse(error);
    throw error;
  }
}

export async function answerRequest(
  context: SandboxContext,
  request: SandboxRequest,
): Promise<{ status: number; headers: Record<string, string>; body: object }> {
  const fault = context.faults?.onCall?.({ method: request.method, path: request.path });
  const { status, body } = await handleWithErrors(context, request, fault);
  if (request.method === 'POST') context.onChange();
  if (fault?.drop) throw new DroppedConnection('The connection was dropped.');
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
}
