import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityService } from './service';

/** The message is one of Firebase's error codes, because the SDK reads the code from the message. */
export class IdentityError extends Error {
  constructor(
    message: string,
    readonly status = 400,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function throwIdentityError(message: string): never {
  throw new IdentityError(message);
}

function sendError(reply: FastifyReply, code: number, message: string) {
  return reply
    .code(code)
    .send({ error: { code, message, errors: [{ message, reason: 'invalid', domain: 'global' }] } });
}

const HTTP_ERROR_CODES: Record<number, string> = {
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_CONTENT_TYPE',
  429: 'TOO_MANY_ATTEMPTS_TRY_LATER',
};

/** @returns Firebase's code without the explanation that follows ` : `, or undefined if it is not a Firebase error */
export const errorCodeOf = (error: Error) =>
  error instanceof IdentityError ? error.message.split(' : ')[0] : undefined;

export const createErrorHandler =
  (service: IdentityService) =>
  (error: (FastifyError & { status?: number }) | IdentityError, request: FastifyRequest, reply: FastifyReply) => {
    service.annotate?.(request, { refusalCode: errorCodeOf(error) });
    if (error instanceof IdentityError) {
      if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
      return sendError(reply, error.status, error.message);
    }
    const status = error.statusCode ?? error.status ?? 500;
    if (status < 500)
      return sendError(
        reply,
        status in HTTP_ERROR_CODES ? status : 400,
        HTTP_ERROR_CODES[status] ?? 'INVALID_ARGUMENT',
      );
    return sendFault(service, error, request, reply);
  };

/** The response never describes the error, because its message can contain private data. The log has the details. */
function sendFault({ statusOfError }: IdentityService, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers = {} } = statusOfError(error);
  if (status > 500) request.log.warn({ reqId: request.id, err: error }, 'identity call temporarily unavailable');
  else request.log.error({ reqId: request.id, err: error }, 'identity call failed');
  return sendError(reply.headers(headers), status > 500 ? status : 503, 'INTERNAL_ERROR');
}
