import type { FastifyRequest } from 'fastify';
import { networkOf } from '../http/network';

export type SecurityEvent =
  'signed in' | 'sign-in refused' | 'role changed' | 'account removed' | 'session ended' | 'bad webhook signature';

/** These fields are logged, so they must never contain an email, a token or a request's body. */
export interface SecurityEventFields {
  userId?: string;
  targetId?: string;
  role?: string;
  code?: string;
}

/** The `reqId` connects the event with the log line of its request. */
export function logSecurityEvent(request: FastifyRequest, event: SecurityEvent, fields: SecurityEventFields): void {
  request.log.info({ reqId: request.id, network: networkOf(request.ip), ...fields }, event);
}
