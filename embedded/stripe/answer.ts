import type { SandboxAnswer, SandboxCall } from './call';
import { callerOf, demandSecret, type Keys } from './sandboxKeys';
import { cancelIntent } from './cancel';
import { authenticateIntent, confirmIntent } from './confirm';
import { ChangedMeanwhile } from './commitChange';
import { API_VERSION } from './sandboxEvents';
import { Dropped, applyFault, type Fault, type SandboxFaults } from './faults';
import { readForm } from './form';
import { keyOf } from './idempotency';
import { newId } from './ids';
import { createIntent } from './createIntent';
import { listCharges, listIntents } from './lists';
import type { Db } from './sandboxOptions';
import { createPaymentMethod } from './paymentMethods';
import { readIntent } from './readIntent';
import { invalidRequest, StripeErrorResponse } from './stripeErrors';

export interface Request {
  method: string;
  path: string;
  /** The query of a GET, the body of a POST. */
  encoded: string;
  headers: { authorization?: string; idempotencyKey?: string; clientSecret?: string };
}

export interface SandboxContext {
  db: Db;
  keys: Keys;
  publicUrl: string;
  now: () => Date;
  wantedEvents: readonly string[] | null;
  faults?: SandboxFaults;
  /** Called when a POST may have left events behind. */
  onChange: () => void;
}

type Verb = (call: SandboxCall) => Promise<SandboxAnswer>;
type Route = [method: string, path: RegExp, open: 'open' | 'secret', run: Verb];

/** Open: the publishable key will do, with the intent's client secret where there is an intent. */
const ROUTES: Route[] = [
  ['POST', /^\/v1\/payment_methods$/, 'open', createPaymentMethod],
  ['POST', /^\/v1\/payment_intents$/, 'secret', createIntent],
  ['GET', /^\/v1\/payment_intents$/, 'secret', listIntents],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, 'open', readIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/confirm$/, 'open', confirmIntent],
  ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, 'secret', cancelIntent],
  ['GET', /^\/v1\/charges$/, 'secret', listCharges],
  ['POST', /^\/v1\/sandbox\/payment_intents\/([^/]+)\/authenticate$/, 'open', authenticateIntent],
];

function routeOf({ method, path }: Request) {
  for (const [verb, pattern, access, run] of ROUTES) {
    const found = verb === method && pattern.exec(path);
    if (found) return { access, run, id: found[1] ?? '' };
  }
  throw invalidRequest(404, `Unrecognized request URL (${method}: ${path}).`);
}

/** Each time it is changed meanwhile, somebody else's call went through. */
const RACES = 50;

async function perform(context: SandboxContext, request: Request, requestId: string): Promise<SandboxAnswer> {
  const { method, path, encoded, headers } = request;
  const caller = callerOf(headers.authorization, context.keys);
  const { access, run, id } = routeOf(request);
  if (access === 'secret') demandSecret(caller);
  const form = readForm(encoded);
  const clientSecret = typeof form.client_secret === 'string' ? form.client_secret : (headers.clientSecret ?? null);
  const given = (method === 'POST' && headers.idempotencyKey) || null;
  const key = given === null ? null : keyOf(caller, given, path, encoded);
  const { db, publicUrl, wantedEvents } = context;
  const understood = { db, caller, form, id, clientSecret, requestId, key, publicUrl, wantedEvents };
  for (let race = 0; race < RACES; race++) {
    try {
      return await run({ ...understood, now: context.now() });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
  throw busy();
}

const LOCK_NOT_AVAILABLE = '55P03';
const BUSY =
  'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.';

const busy = () => invalidRequest(429, BUSY, 'lock_timeout');

/** A row that stayed locked is Stripe's own `lock_timeout`; what else the database says is not for the caller. */
function refusalOf(error: unknown): StripeErrorResponse {
  if (error instanceof StripeErrorResponse) return error;
  const cause = (error as { cause?: { code?: string } }).cause ?? (error as { code?: string });
  if (cause.code === LOCK_NOT_AVAILABLE) return busy();
  throw error;
}

async function attempt(
  context: SandboxContext,
  request: Request,
  requestId: string,
  fault: Fault | undefined,
): Promise<SandboxAnswer> {
  try {
    await applyFault(fault);
    return await perform(context, request, requestId);
  } catch (error) {
    const { status, error: body } = refusalOf(error);
    return { status, body: { error: body } };
  }
}

export async function answerRequest(
  context: SandboxContext,
  request: Request,
): Promise<{ status: number; headers: Record<string, string>; body: object }> {
  const requestId = newId('req');
  const fault = context.faults?.onCall?.({ method: request.method, path: request.path });
  const { status, body, replayed } = await attempt(context, request, requestId, fault);
  if (request.method === 'POST') context.onChange();
  if (fault?.drop) throw new Dropped('The connection was dropped.');
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  };
  return { status, headers, body };
}
