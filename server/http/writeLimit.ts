import type { FastifyRequest } from 'fastify';
import { rateLimited } from './problems';
import type { RateLimit } from './rateLimit';

const CALLS_A_MINUTE = 60;

/** Limits one person's calls a minute, over all copies of the server. It comes after the check of who they are. */
export const slowDown = (limit: RateLimit, call: string) => async (request: FastifyRequest) => {
  const { ok, retryAfterSeconds } = await limit(`${call} ${request.user.id}`, CALLS_A_MINUTE, 60);
  if (!ok) throw rateLimited(retryAfterSeconds);
};
