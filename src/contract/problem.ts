import type { Problem } from './entities';
import { APP_MESSAGES } from './appMessages';

type Status = number | 'FETCH_ERROR' | 'PARSING_ERROR' | 'TIMEOUT_ERROR' | 'CUSTOM_ERROR';

/**
 * - `lost`: there was no response of the shop, but the call may have been carried out.
 * - `internal`: the server or this page failed, maybe after the call was carried out.
 * - `busy`: the same call may succeed later.
 * - `signedOut`: the session has ended. A toast announces that.
 * - `changed`: what the call is about has changed since the page loaded it.
 * - `refused`: the shop refused the call for another reason.
 */
export type FailureKind = 'lost' | 'internal' | 'busy' | 'signedOut' | 'changed' | 'refused';

export interface Failure {
  kind: FailureKind;
  status: Status;
  problem?: Problem;
}

/** An error whose message is meant for users. The messages of all other errors are only for developers. */
export class UserError extends Error {}

const isProblem = (data: unknown): data is Problem =>
  typeof data === 'object' && data !== null && 'code' in data && 'detail' in data;

const KINDS: Record<number, FailureKind> = { 401: 'signedOut', 404: 'changed', 409: 'changed', 429: 'busy' };

function kindOf(status: Status): FailureKind {
  if (status === 'CUSTOM_ERROR') return 'internal';
  if (typeof status !== 'number') return 'lost';
  return status >= 500 ? 'internal' : (KINDS[status] ?? 'refused');
}

interface CallError {
  /** RTK Query aborts running calls when the user signs out. */
  name?: string;
  status?: Status;
  data?: unknown;
  originalStatus?: number;
}

/** Brings RTK Query's errors and the server's error responses into one format. */
export function failureOf(error: unknown): Failure {
  const { name, status = 'CUSTOM_ERROR', data, originalStatus = 0 } = (error ?? {}) as CallError;
  if (isProblem(data)) return { kind: kindOf(data.status), status: data.status, problem: data };
  if (name === 'AbortError') return { kind: 'signedOut', status };
  const known = status === 'PARSING_ERROR' && originalStatus >= 500 ? originalStatus : status;
  return { kind: kindOf(known), status: known };
}

/** Proxies answer with these if they got no answer of the shop. */
const PROXY_STATUSES: Status[] = [502, 503, 504];

/** @returns whether no answer of the shop came, so that nobody knows whether it carried the call out */
export function isUnanswered(error: unknown): boolean {
  const { kind, status, problem } = failureOf(error);
  const { originalStatus = 0 } = (error ?? {}) as CallError;
  if (kind === 'lost') return originalStatus < 400;
  return !problem && PROXY_STATUSES.includes(status);
}

/** @returns whether the same call may succeed later. Otherwise trying again is useless. */
export const isTransient = (error: unknown) => ['lost', 'internal', 'busy'].includes(failureOf(error).kind);

export function messageOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const { status, problem } = failureOf(error);
  if (problem) return problem.detail;
  if (status === 'FETCH_ERROR') return APP_MESSAGES.offline;
  if (status === 'TIMEOUT_ERROR') return APP_MESSAGES.slow;
  if (status === 'PARSING_ERROR') return APP_MESSAGES.unexpectedResponse;
  return APP_MESSAGES.unexpected;
}

/** @returns the request's id, by which `explain` finds it in the log. Undefined if the response is not from the shop. */
export const supportCodeOf = (error: unknown): string | undefined => failureOf(error).problem?.instance;
