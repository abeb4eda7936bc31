import type { Copy } from './copies';
import { faults } from './faults';
import { scheduler } from './scheduler';
import { simulatedRuntime } from './simulatedRuntime';

/** 70 seconds are longer than a claim, 130 than any lease. */
const DURATIONS_MS = [0, 70_000, 130_000];
/** So many steps must follow before the work goes on, unless nothing else can run. */
const DURATIONS_STEPS = [20, 60, 100];

/**
 * Sometimes lets the work of one request stand still at a checkpoint of the server, while time passes. Each time a
 * checkpoint is reached, a stall becomes less likely, so that rarely reached checkpoints stall too.
 */
export async function stallAt(copy: Copy, checkpoint: string): Promise<void> {
  if (!copy.isStepped || copy.isStarting) return;
  const timesReached = (copy.timesReached.get(checkpoint) ?? 0) + 1;
  copy.timesReached.set(checkpoint, timesReached);
  if (!scheduler.decisions.happens(Math.round(faults.stall / timesReached))) return;
  const { decisions, steps } = scheduler;
  const ms = DURATIONS_MS[decisions.draw(DURATIONS_MS.length)]!;
  const earliestStep = steps + DURATIONS_STEPS[decisions.draw(DURATIONS_STEPS.length)]!;
  scheduler.trace(`copy ${copy.number} stalls at "${checkpoint}" for at least ${ms / 1000} seconds`);
  simulatedRuntime.now += ms;
  const label = `goes on at "${checkpoint}"`;
  await scheduler.hold({ kind: 'stall', copy, client: undefined, label, earliestStep, run: () => Promise.resolve() });
}
