import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CODES, type Code } from '../../src/contract/errorCodes';
import { PAGE_MESSAGES } from '../../src/contract/pageMessages';

type Meta = Record<string, number | string | null>;
export interface FieldError {
  field: string;
  message: string;
}

/** A refusal as a value: what it is, and the sentence a person can act on. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly code: Code,
    readonly detail: string,
    readonly extra: { meta?: Meta; errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
  }
}

export const problem =
  (status: number, code: Code, detail: string) =>
  (extra: ProblemError['extra'] = {}) =>
    new ProblemError(status, code, detail, extra);

export const notFound = problem(404, 'not_found', 'There is nothing here.');
export const orderNotFound = problem(404, 'not_found', 'There is no such order.');
export const toolNotFound = problem(404, 'not_found', 'There is no such tool.');
export const reviewNotFound = problem(404, 'not_found', 'There is no such review.');
export const userNotFound = problem(404, 'not_found', 'Nobody with this email has signed in yet.');
export const authRequired = problem(401, 'auth_required', 'Please log in first.');
export const tokenInvalid = problem(401, 'token_invalid', 'Your session is not valid. Please log in again.');
export const forbidden = problem(403, 'forbidden', 'Your account may not do this.');
export const emailMismatch = problem(403, 'email_mismatch', 'This email is not the one you are logged in with.');
export const emailUnverified = problem(
  403,
  'email_unverified',
  'This email is not verified, so its user cannot be made an admin here. Ask them to verify it first.',
);
export const accountBlocked = problem(
  403,
  'account_blocked',
  'This account is blocked. Contact us if you think that is a mistake.',
);
export const emailLookalike = problem(
  409,
  'email_lookalike',
  'This email looks too much like another one that we know. Sign in with another email, or contact us.',
);
export const emailTaken = problem(409, 'email_taken', 'Another account has this email. Write to us if it is yours.');
export const identityProviderDown = () =>
  new ProblemError(503, 'identity_provider_unavailable', 'Signing in is not possible for a moment. Please try again.', {
    headers: { 'retry-after': '5' },
  });
export const unavailable = (seconds = 2) =>
  new ProblemError(503, 'unavailable', 'The shop is busy for a moment. Please try again.', {
    headers: { 'retry-after': String(seconds) },
  });
export const storageFull = problem(
  507,
  'storage_full',
  'The shop cannot keep anything new right now. Nothing was changed.',
);
export const rateLimited = (seconds: number) =>
  new ProblemError(429, 'rate_limited', `Too many tries. Wait ${seconds} seconds and try again.`, {
    headers: { 'retry-after': String(seconds) },
  });
export const invalid = (errors: FieldError[]) =>
  new ProblemError(422, 'validation', errors.map((error) => `${error.field}: ${error.message}`).join(' '), {
    errors,
  });

const BY_SERVER: Record<string, () => ProblemError> = {
  HPE_HEADER_OVERFLOW: problem(431, 'headers_too_large', 'The head of this request is more than the shop reads.'),
  ERR_HTTP_REQUEST_TIMEOUT: problem(408, 'request_timeout', 'This request did not come to its end in time.'),
  FST_ERR_CTP_BODY_TOO_LARGE: problem(413, 'body_too_large', 'This is more than the shop takes at once.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(415, 'json_only', 'Send JSON, with content-type application/json.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: problem(400, 'malformed_json', 'The body is empty; send JSON.'),
  FST_ERR_CTP_INVALID_JSON_BODY: problem(400, 'malformed_json', 'The body is not JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: problem(400, 'bad_request', 'The body is not as long as announced.'),
  FST_ERR_BAD_URL: problem(400, 'bad_request', 'This address is not well-formed.'),
  FST_ERR_MAX_PARAM_LENGTH: problem(414, 'uri_too_long', 'This address is too long.'),
};

/** What PostgreSQL refuses is the caller's fault, a conflict, a full disk or a moment's trouble; the rest is a bug. */
const BY_DATABASE: [RegExp, () => ProblemError][] = [
  [/^22P02$/, notFound],
  [/^22/, problem(422, 'validation', 'A value is not one that the shop can keep.')],
  [
    /^23505$|^23514$|^23P01$/,
    problem(409, 'bad_request', 'This no longer fits what the shop has. Reload and try again.'),
  ],
  [/^53100$/, storageFull],
  [/^(08|25006|25P03|40|53|55P03|57)/, unavailable],
];

const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN)/;
const POOL =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error/;

function fromDatabase(error: unknown): ProblemError | undefined {
  const causes = [error, (error as { cause?: unknown }).cause] as { code?: unknown; message?: unknown }[];
  for (const cause of causes) {
    const code = String(cause?.code ?? '');
    if (NETWORK.test(code) || POOL.test(String(cause?.message ?? ''))) return unavailable();
    if (/^[0-9A-Z]{5}$/.test(code)) return BY_DATABASE.find(([pattern]) => pattern.test(code))?.[1]();
  }
  return undefined;
}

/** The first error of each field: an empty field breaks several rules at once. */
function fieldErrors(error: FastifyError): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const issue of error.validation ?? []) {
    const params = issue.params as { missingProperty?: string; additionalProperty?: string };
    const field =
      params.missingProperty ?? params.additionalProperty ?? issue.instancePath.slice(1).split('/')[0] ?? '';
    if (byField.has(field)) continue;
    byField.set(field, { field, message: sentenceOf(issue.keyword, issue.params as Record<string, unknown>) });
  }
  return [...byField.values()];
}

function sentenceOf(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'required' || keyword === 'minLength') return 'is required.';
  if (keyword === 'additionalProperties') return 'is not a field of this call.';
  if (keyword === 'maxLength') return `has at most ${params['limit']} characters.`;
  if (keyword === 'minimum') return `must be at least ${params['limit']}.`;
  if (keyword === 'maximum') return `must be at most ${params['limit']}.`;
  if (keyword === 'type') return `must be ${params['type'] === 'integer' ? 'a whole number' : `a ${params['type']}`}.`;
  if (keyword === 'format') return PAGE_MESSAGES.link;
  if (keyword === 'pattern') return 'is empty or has characters that cannot be kept.';
  return 'is not valid.';
}

export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const known = error as FastifyError;
  if (known.validation) return known.validationContext === 'params' ? notFound() : invalid(fieldErrors(known));
  const byServer = BY_SERVER[known.code];
  if (byServer) return byServer();
  if (error instanceof SyntaxError && known.statusCode === 400) return BY_SERVER['FST_ERR_CTP_INVALID_JSON_BODY']!();
  const byDatabase = fromDatabase(error);
  if (byDatabase) return byDatabase;
  if (known.statusCode === 503) return unavailable();
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500)
    return new ProblemError(known.statusCode, 'bad_request', 'Something is wrong with this request.');
  return new ProblemError(500, 'internal', 'Something went wrong on our side. Nothing was charged; please try again.');
}

/** For the embedded services, which answer in the words of those that they stand for. */
export function statusOfError(error: unknown): { status: number; headers?: Record<string, string> } {
  const { status, extra } = problemOf(error);
  return { status, headers: extra.headers };
}

export function problemBody(refusal: ProblemError, instance: string) {
  const { meta, errors } = refusal.extra;
  return {
    type: `/problems/${refusal.code}`,
    title: CODES[refusal.code],
    status: refusal.status,
    code: refusal.code,
    detail: refusal.detail,
    instance,
    ...(errors && { errors }),
    ...(meta && { meta }),
  };
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = problemOf(error);
  request.refusalCode = refusal.code;
  if (refusal.status === 500) request.log.error({ reqId: request.id, err: error }, 'unexpected error');
  else if (refusal.status > 500)
    request.log.warn({ reqId: request.id, err: error, code: refusal.code }, 'refused for now');
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(refusal.status)
    .headers(refusal.extra.headers ?? {})
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(problemBody(refusal, request.id));
}
