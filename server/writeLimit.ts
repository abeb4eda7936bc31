import type { FastifyRequest } from 'fastify';
import { rateLimited } from './errors';
import type { RateLimit } from './limits';

const WRITES_A_MINUTE = 60;

/** One person writes so much a minute, over all copies of the server; to stand behind the check of who they are. */
export const slowDown = (limit: RateLimit, call: string) => async (request: FastifyRequest) => {
  const { ok, retryAfterSeconds } = await limit(`${call} ${request.user.id}`, WRITES_A_MINUTE, 60);
  if (!ok) throw rateLimited(retryAfterSeconds);
};
