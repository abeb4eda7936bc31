import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from './service';

/** A refusal in Firebase's words: the message is the code that its SDK reads. */
export class IdentityError extends Error {
  constructor(
    message: string,
    readonly status = 400,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function fail(message: string): never {
  throw new IdentityError(message);
}

function send(reply: FastifyReply, code: number, message: string) {
  return reply
    .code(code)
    .send({ error: { code, message, errors: [{ message, reason: 'invalid', domain: 'global' }] } });
}

const TRANSPORT: Record<number, string> = {
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_CONTENT_TYPE',
  429: 'TOO_MANY_ATTEMPTS_TRY_LATER',
};

/** The part before the colon is one of ours; what follows can hold what the caller sent. */
export const codeOf = (error: Error) => (error instanceof IdentityError ? error.message.split(' : ')[0] : undefined);

export const answerError =
  (service: Service) =>
  (error: (FastifyError & { status?: number }) | IdentityError, request: FastifyRequest, reply: FastifyReply) => {
    service.annotate?.(request, { refusalCode: codeOf(error) });
    if (error instanceof IdentityError) {
      if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
      return send(reply, error.status, error.message);
    }
    const status = error.statusCode ?? error.status ?? 500;
    if (status < 500) return send(reply, status in TRANSPORT ? status : 400, TRANSPORT[status] ?? 'INVALID_ARGUMENT');
    return answerFault(service, error, request, reply);
  };

/** A passing fault says when to try again. Anything else is a bug, and only the log names it. */
function answerFault({ statusOfError }: Service, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers = {} } = statusOfError(error);
  if (status > 500) request.log.warn({ reqId: request.id, err: error }, 'identity call refused for now');
  else request.log.error({ reqId: request.id, err: error }, 'identity call failed');
  return send(reply.headers(headers), status > 500 ? status : 503, 'INTERNAL_ERROR');
}
