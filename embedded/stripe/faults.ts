import { setTimeout as wait } from 'node:timers/promises';
import { invalidRequest, StripeErrorResponse } from './stripeErrors';

/** A simulated fault of one call. */
export interface Fault {
  delayMs?: number;
  /** The call fails with this status and has no effect. */
  status?: 400 | 429 | 500;
  /** The call takes effect, but its response is lost. */
  drop?: boolean;
}

/** Simulates faults in tests. Only code in this process can set them, through the sandbox's options. */
export interface SandboxFaults {
  onCall?(call: { method: string; path: string }): Fault | undefined;
  /** Receives the due events and returns those to send now. A test can delay, repeat or reorder them. */
  onDelivery?<E extends { id: string; type: string }>(due: E[]): E[];
}

export class DroppedConnection extends Error {}

const RATE_LIMITED = 'Request rate limit exceeded.';
const NOT_ACTIVATED = 'This account cannot take cards yet.';
const BROKEN = 'An unknown error occurred.';

export async function applyFault(fault: Fault | undefined) {
  if (fault?.delayMs) await wait(fault.delayMs, undefined, { ref: false });
  if (fault?.status === 400) throw invalidRequest(400, NOT_ACTIVATED, 'account_invalid');
  if (fault?.status === 429) throw invalidRequest(429, RATE_LIMITED, 'rate_limit');
  if (fault?.status === 500) throw new StripeErrorResponse(500, { type: 'api_error', message: BROKEN });
}
