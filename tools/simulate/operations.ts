import type { Copy } from './copies';
import type { SteppedClient } from './steppedClient';

export type OperationKind = 'statement' | 'request' | 'action' | 'mail' | 'stall';

/** A step that waits until the scheduler chooses it. */
export interface Operation {
  id: number;
  kind: OperationKind;
  label: string;
  /** Follows the label in the trace: the values of a statement or the body of a request. */
  detail: string;
  copy: Copy | undefined;
  client: SteppedClient | undefined;
  connectionNumber: number;
  state: 'held' | 'running' | 'blocked' | 'finished';
  run: () => Promise<unknown>;
  outcome: { value?: unknown; error?: Error & { code?: string } } | undefined;
  deliver: (outcome: NonNullable<Operation['outcome']>) => void;
  blockedAt: number;
  /** A stall ends only after this step, unless nothing else can run. */
  earliestStep: number;
}

export const describeOutcome = ({ outcome }: Operation): string => {
  if (!outcome) return 'waits';
  if (outcome.error) return `error ${outcome.error.code ?? outcome.error.message}`;
  const { rowCount } = (outcome.value ?? {}) as { rowCount?: number | null };
  return rowCount === undefined || rowCount === null ? 'done' : `${rowCount} rows`;
};

/**
 * Orders steps that arrived in the same round by their content, because their order of arrival differs between runs.
 */
export const compareByContent = (a: Operation, b: Operation) =>
  (a.copy?.number ?? 0) - (b.copy?.number ?? 0) ||
  a.connectionNumber - b.connectionNumber ||
  `${a.label} ${a.detail}`.localeCompare(`${b.label} ${b.detail}`);
