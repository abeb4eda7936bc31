import type { Problem } from './entities';
import { APP_MESSAGES } from './appMessages';

export interface Failure {
  status: number | 'FETCH_ERROR' | 'PARSING_ERROR' | 'TIMEOUT_ERROR' | 'CUSTOM_ERROR';
  problem?: Problem;
}

const SUPPORT_CODE_LENGTH = 8;

const isProblem = (data: unknown): data is Problem =>
  typeof data === 'object' && data !== null && 'code' in data && 'detail' in data;

/** Brings RTK Query's errors and the server's error responses into one format. */
export function failureOf(error: unknown): Failure {
  const { status, data, originalStatus } = (error ?? {}) as {
    status?: Failure['status'];
    data?: unknown;
    originalStatus?: number;
  };
  if (isProblem(data)) return { status: data.status, problem: data };
  if (status === 'PARSING_ERROR' && originalStatus && originalStatus >= 500) return { status: originalStatus };
  return { status: status ?? 'CUSTOM_ERROR' };
}

/**
 * @returns whether trying again is useless, because the server refused the request for a reason other than a rate limit
 */
export function isRefused(error: unknown): boolean {
  const status = Number(failureOf(error).status);
  return status < 500 && status !== 429;
}

export function messageOf(error: unknown): string {
  const { status, problem } = failureOf(error);
  if (problem) return problem.detail;
  if (status === 'FETCH_ERROR') return APP_MESSAGES.offline;
  if (status === 'TIMEOUT_ERROR') return APP_MESSAGES.slow;
  if (status === 'PARSING_ERROR') return APP_MESSAGES.unexpectedResponse;
  return APP_MESSAGES.unexpected;
}

/**
 * @returns the end of the request id, which is short enough to read out on the phone. Undefined if the response is not
 * from the shop.
 */
export const supportCodeOf = (error: unknown): string | undefined =>
  failureOf(error).problem?.instance?.slice(-SUPPORT_CODE_LENGTH);

export const fieldErrorsOf = (error: unknown): { field: string; message: string }[] =>
  failureOf(error).problem?.errors ?? [];
