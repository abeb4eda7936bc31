import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { TEXT_PATTERNS } from '../../src/contract/entities';
import { ERROR_TITLES, type ErrorCode } from '../../src/contract/errorCodes';
import { PAGE_MESSAGES } from '../../src/contract/pageMessages';

type Meta = Record<string, number | string | null>;
export interface FieldError {
  field: string;
  message: string;
}

/** An error response in the format of RFC 9457. `detail` tells the customer what happened and what to do. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    readonly detail: string,
    /** `retryAfter` is in seconds. */
    readonly extra: { meta?: Meta; errors?: FieldError[]; retryAfter?: number } = {},
  ) {
    super(detail);
  }
}

export const defineProblem =
  (status: number, code: ErrorCode, detail: string, extra: ProblemError['extra'] = {}) =>
  () =>
    new ProblemError(status, code, detail, extra);

export const notFound = defineProblem(404, 'not_found', "This address doesn't exist.");
export const orderNotFound = defineProblem(404, 'not_found', 'Order not found. It may have been deleted.');
export const toolNotFound = defineProblem(404, 'not_found', 'Tool not found. It may have been removed.');
export const reviewNotFound = defineProblem(404, 'not_found', 'Review not found. It may have been removed.');
export const userNotFound = defineProblem(404, 'not_found', 'No user with this email has logged in yet.');
export const authRequired = defineProblem(401, 'auth_required', 'Please log in first.');
export const tokenInvalid = defineProblem(401, 'token_invalid', 'Your session is not valid. Please log in again.');
export const forbidden = defineProblem(403, 'forbidden', "You don't have permission to do this.");
export const emailMismatch = defineProblem(403, 'email_mismatch', "You're logged in with a different email.");
export const emailUnverified = defineProblem(
  403,
  'email_unverified',
  "This email isn't verified. The user got an email with a link to verify it, and can send the link again from My Profile.",
);
export const notPromoter = defineProblem(
  403,
  'not_promoter',
  "You didn't make this user an admin, or the role has changed since. The operator can remove an admin.",
);
export const lastAdmin = defineProblem(403, 'last_admin', 'This is the last admin. Make another user an admin first.');
export const accountBlocked = defineProblem(
  403,
  'account_blocked',
  'This account is blocked. Contact us if you think this is a mistake.',
);
export const identityProviderDown = defineProblem(
  503,
  'identity_provider_unavailable',
  "You can't log in right now. Please try again in a moment.",
  { retryAfter: 5 },
);
export const serviceUnavailable = (seconds = 2) =>
  new ProblemError(503, 'unavailable', 'The shop is busy. Please try again in a moment.', { retryAfter: seconds });
export const storageFull = defineProblem(
  507,
  'storage_full',
  "We can't save anything right now. Nothing was changed. Please try again later.",
);
export const rateLimited = (seconds: number) =>
  new ProblemError(429, 'rate_limited', `Too many attempts. Wait ${seconds} seconds and try again.`, {
    retryAfter: seconds,
  });
export const malformedCsv = (detail: string) => new ProblemError(400, 'malformed_csv', detail);
export const csvOnly = defineProblem(415, 'csv_only', 'Send a CSV file with the content type text/csv.');
export const invalidFields = (errors: FieldError[]) =>
  new ProblemError(422, 'validation', errors.map((error) => `${error.field}: ${error.message}`).join(' '), {
    errors,
  });
export const invalidField = (field: string, message: string) => invalidFields([{ field, message }]);

const PROBLEMS_BY_FRAMEWORK_CODE: Record<string, () => ProblemError> = {
  HPE_HEADER_OVERFLOW: defineProblem(431, 'headers_too_large', 'The request headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: defineProblem(408, 'request_timeout', 'The request timed out.'),
  FST_ERR_CTP_BODY_TOO_LARGE: defineProblem(413, 'body_too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: defineProblem(415, 'json_only', 'Send JSON with the content type application/json.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: defineProblem(400, 'malformed_json', 'The body is empty. Send JSON.'),
  FST_ERR_CTP_INVALID_JSON_BODY: defineProblem(400, 'malformed_json', 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: defineProblem(
    400,
    'bad_request',
    'The length of the body differs from its content-length header.',
  ),
  FST_ERR_BAD_URL: defineProblem(400, 'bad_request', 'The URL is malformed.'),
  FST_ERR_MAX_PARAM_LENGTH: defineProblem(414, 'uri_too_long', 'The URL is too long.'),
};

/** PostgreSQL's errors that are not caused by bugs in the shop. All others are answered with a 500. */
const PROBLEMS_BY_SQLSTATE: [RegExp, () => ProblemError][] = [
  [/^22P02$/, notFound],
  [/^22/, defineProblem(422, 'validation', "A value can't be stored.")],
  [
    /^23505$|^23514$|^23P01$/,
    defineProblem(409, 'bad_request', 'This has changed since you opened it. Reload and try again.'),
  ],
  [/^53100$/, storageFull],
  [/^(08|25006|25P03|40|53|55P03|57)/, serviceUnavailable],
];

const NETWORK_ERROR = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN)/;
const POOL_ERROR = new RegExp(
  'timeout exceeded when trying to connect|Query read timeout|Connection terminated|' +
    'Client has encountered a connection error',
);

function databaseProblemOf(error: unknown): ProblemError | undefined {
  const causes = [error, (error as { cause?: unknown }).cause] as { code?: unknown; message?: unknown }[];
  for (const cause of causes) {
    const code = String(cause?.code);
    if (NETWORK_ERROR.test(code) || POOL_ERROR.test(String(cause?.message))) return serviceUnavailable();
    if (/^[0-9A-Z]{5}$/.test(code)) return PROBLEMS_BY_SQLSTATE.find(([pattern]) => pattern.test(code))?.[1]();
  }
  return undefined;
}

/**
 * Keeps only the first error of each field, because a wrong value, such as an empty text, can break several rules at
 * once.
 */
export function fieldErrors(issues: FastifySchemaValidationError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const issue of issues) {
    const params = issue.params as { missingProperty?: string; additionalProperty?: string };
    const field = params.missingProperty ?? params.additionalProperty ?? issue.instancePath.split('/')[1] ?? '';
    if (byField.has(field)) continue;
    byField.set(field, { field, message: fieldMessageOf(issue.keyword, issue.params as Record<string, unknown>) });
  }
  return [...byField.values()];
}

const TYPE_NAMES: Record<string, string> = {
  integer: 'a whole number',
  object: 'an object',
  array: 'an array',
  boolean: 'true or false',
};

function fieldMessageOf(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'required' || keyword === 'minLength') return 'is required.';
  if (keyword === 'additionalProperties') return 'is not an allowed field.';
  if (keyword === 'maxLength') return `must have at most ${params['limit']} characters.`;
  if (keyword === 'minimum') return `must be at least ${params['limit']}.`;
  if (keyword === 'maximum') return `must be at most ${params['limit']}.`;
  if (keyword === 'type') return `must be ${TYPE_NAMES[String(params['type'])] ?? `a ${params['type']}`}.`;
  if (keyword === 'format')
    return params['format'] === 'phone' ? PAGE_MESSAGES.phoneTooShort : PAGE_MESSAGES.linkInvalid;
  if (keyword === 'pattern' && TEXT_PATTERNS.includes(String(params['pattern'])))
    return "is empty or contains characters that can't be stored.";
  return 'is not valid.';
}

export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const fastifyError = error as FastifyError;
  if (fastifyError.validation)
    return fastifyError.validationContext === 'params'
      ? notFound()
      : invalidFields(fieldErrors(fastifyError.validation));
  const createProblem = PROBLEMS_BY_FRAMEWORK_CODE[fastifyError.code];
  if (createProblem) return createProblem();
  const byDatabase = databaseProblemOf(error);
  if (byDatabase) return byDatabase;
  if (fastifyError.statusCode === 503) return serviceUnavailable();
  if (fastifyError.statusCode && fastifyError.statusCode >= 400 && fastifyError.statusCode < 500)
    return new ProblemError(
      fastifyError.statusCode,
      'bad_request',
      "We couldn't read this request. Reload the page and try again.",
    );
  return new ProblemError(500, 'internal', 'Something went wrong on our side. Please try again.');
}

const headersOf = ({ extra: { retryAfter } }: ProblemError): Record<string, string> =>
  retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };

/**
 * For the embedded services. They don't use the body of a `ProblemError`, because their errors have Firebase's or
 * Stripe's format.
 */
export function statusOfError(error: unknown): { status: number; headers?: Record<string, string> } {
  const problem = problemOf(error);
  return { status: problem.status, headers: headersOf(problem) };
}

export function toProblemBody(refusal: ProblemError, instance: string) {
  const { meta, errors } = refusal.extra;
  return {
    type: `/problems/${refusal.code}`,
    title: ERROR_TITLES[refusal.code],
    status: refusal.status,
    code: refusal.code,
    detail: refusal.detail,
    instance,
    ...(errors && { errors }),
    ...(meta && { meta }),
  };
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = problemOf(error);
  request.refusalCode = refusal.code;
  if (refusal.status === 500) request.log.error({ reqId: request.id, err: error }, 'unexpected error');
  else if (refusal.status > 500)
    request.log.warn({ reqId: request.id, err: error, code: refusal.code }, 'request failed, a retry may succeed');
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(refusal.status)
    .headers(headersOf(refusal))
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(toProblemBody(refusal, request.id));
}
