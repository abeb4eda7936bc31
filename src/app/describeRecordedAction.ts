import { failureOf } from '../contract/problem';
import type { RecordedAction } from '../recorder/sessionFile';

type Meta = { arg?: { endpointName?: string }; condition?: boolean } | undefined;

/** RTK Query rejects a request that it does not need to send, for example because the data are already loaded. */
const wasSkipped = (meta: unknown) => (meta as Meta)?.condition === true;

/** @returns a description of the action, such as `createPaymentIntent failed: 409 out_of_stock` */
export function describeRecordedAction({ type, payload, meta, ...fields }: RecordedAction): string {
  const endpoint = (meta as Meta)?.arg?.endpointName;
  if (!endpoint)
    return [type, fields['chunk'] ?? fields['name'] ?? fields['code'] ?? fields['how']].filter(Boolean).join(' ');
  if (type.endsWith('/pending')) return `${endpoint} was sent`;
  if (type.endsWith('/fulfilled')) return `${endpoint} succeeded`;
  if (wasSkipped(meta)) return `${endpoint} was already loaded`;
  const { status, problem } = failureOf(payload);
  return `${endpoint} failed: ${[status, problem?.code, problem?.instance].filter(Boolean).join(' ')}`;
}

const FAILURES = new Set(['page/threw', 'page/chunkFailed', 'payment/refused', 'payment/unclear', 'payment/stale']);
export const isFailure = ({ type, meta }: RecordedAction): boolean =>
  (type.endsWith('/rejected') && !wasSkipped(meta)) || FAILURES.has(type);
