import { setTimeout as wait } from 'node:timers/promises';
import { invalidRequest, StripeErrorResponse } from './stripeErrors';

/** What goes wrong with one call. */
export interface Fault {
  delayMs?: number;
  /** Refused before anything happens. */
  status?: 400 | 429 | 500;
  /** Its effect is kept and its answer is lost. */
  drop?: boolean;
}

/** For tests only: there is no way to these from outside the process. */
export interface SandboxFaults {
  onCall?(call: { method: string; path: string }): Fault | undefined;
  /** The events that are due, as they will be sent: later (left out), twice, in another order. */
  onDelivery?<E extends { id: string; type: string }>(due: E[]): E[];
}

export class Dropped extends Error {}

const RATE_LIMITED = 'Request rate limit exceeded.';
const NOT_ACTIVATED = 'This account cannot take cards yet.';
const BROKEN = 'An unknown error occurred.';

export async function applyFault(fault: Fault | undefined) {
  if (fault?.delayMs) await wait(fault.delayMs);
  if (fault?.status === 400) throw invalidRequest(400, NOT_ACTIVATED, 'account_invalid');
  if (fault?.status === 429) throw invalidRequest(429, RATE_LIMITED, 'rate_limit');
  if (fault?.status === 500) throw new StripeErrorResponse(500, { type: 'api_error', message: BROKEN });
}
