import type { FastifyRequest } from 'fastify';
import { networkOf } from '../http/network';

export type SecurityEvent =
  'signed in' | 'sign-in refused' | 'role changed' | 'account removed' | 'session ended' | 'bad webhook signature';

/** Must never contain an email address, a token or a body. */
export interface EventFields {
  userId?: string;
  targetId?: string;
  role?: string;
  code?: string;
}

/** Logs a line that an operator can search for. The request's own line has the same `reqId`. */
export function logSecurityEvent(request: FastifyRequest, event: SecurityEvent, fields: EventFields): void {
  request.log.info({ reqId: request.id, network: networkOf(request.ip), ...fields }, event);
}
