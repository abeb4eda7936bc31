import type { PoolConfig } from 'pg';
import { checkFinalState, checkHoldsEnded, checkInvariants } from './checks';
import { Decisions } from './decisions';
import { faults, NO_FAULTS } from './faults';
import { simulatedRuntime, realMs } from './simulatedRuntime';
import type { SimulatedCase } from './plan';
import type { CreateRandom, Random } from './random';
import { payOrders, readUnpaidOrders } from './lastPayments';
import type { OperationKind } from './operations';
import { scheduler, type Choice } from './scheduler';
import { World } from './world';

export interface RunResult {
  hash: string;
  problems: string[];
  steps: number;
  story: string[];
  decisions: number[];
  seconds: number;
}

interface RunOptions {
  /** Draws the decisions that the case does not contain. */
  random?: Random;
  createRandom: CreateRandom;
  connection: PoolConfig;
}

const MAX_STEPS = 400;
const MAX_CRASHES = 2;
/**
 * How often each kind of held step is chosen. Actions begin seldom, so that the orders of one action exist when the next
 * one begins. Stalls end seldom, so that much can happen meanwhile.
 */
const STEP_WEIGHTS: Record<OperationKind, number> = { statement: 10, request: 10, mail: 10, action: 2, stall: 2 };
const STEPS_PER_CHECK = 25;
const SECOND_MS = 1000;
/**
 * Times by which one step can advance the clock. `LONG_LEAPS_MS` adds one that ends a hold of two hours, and is used
 * only when no step is held.
 */
const LEAPS_MS = [1, 20, 40, 70, 300, 960].map((seconds) => seconds * SECOND_MS);
const LONG_LEAPS_MS = [...LEAPS_MS, 7_500 * SECOND_MS];
/** Times that pass after the last action. A sweep and a round of mail run after each of them. */
const FINAL_PAUSES_MS = [1, 130, 14_400, 700].map((seconds) => seconds * SECOND_MS);
/** The same after the last payments, which may have to be refunded. */
const LAST_PAUSES_MS = [1, 130].map((seconds) => seconds * SECOND_MS);
const MAX_TIMERS_UNTIL_IDLE = 250;
/** Work that takes more steps never ends. */
const MAX_STEPS_UNTIL_IDLE = 3_000;

const fireTimer = () => {
  const timer = simulatedRuntime.nextDue();
  if (timer) simulatedRuntime.fire(timer);
};

const leap = (ms: number) => void (simulatedRuntime.now += ms);

function choicesOf(world: World): Choice[] {
  const { weights } = world.simulatedCase;
  const runnable = scheduler.listRunnable();
  const due = runnable.filter(({ earliestStep }) => earliestStep <= scheduler.steps);
  const choices: Choice[] = (due.length > 0 ? due : runnable).map((operation) => ({
    ...{ weight: STEP_WEIGHTS[operation.kind], label: '' },
    perform: () => scheduler.perform(operation),
  }));
  if (simulatedRuntime.nextDue()) choices.push({ weight: weights.timer, label: '', perform: fireTimer });
  for (const copy of world.copies) {
    const name = `copy ${copy.number}`;
    if (!copy.isSweeping)
      choices.push({
        ...{ weight: weights.sweep, label: `${name} sweeps` },
        perform: () =>
          void world.trackWork(`the sweep of ${name}`, Promise.race([copy.sweep(true), copy.crashed])).catch(ignore),
      });
    if (!copy.isSendingMail)
      choices.push({
        ...{ weight: weights.mail, label: `${name} sends its queued mail` },
        perform: () =>
          void world
            .trackWork(`the mail of ${name}`, Promise.race([copy.sendMail(world.mailBox), copy.crashed]))
            .catch(ignore),
      });
    if (world.crashes < MAX_CRASHES)
      choices.push({ weight: weights.crash, label: `${name} crashes`, perform: () => world.crash(copy) });
  }
  const leaps = runnable.length === 0 ? LONG_LEAPS_MS : LEAPS_MS;
  choices.push({ weight: weights.leap, label: '', perform: () => leapBy(world, leaps) });
  return choices.filter(({ weight }) => weight > 0);
}

const ignore = () => undefined;

function leapBy({ decisions }: World, leaps: number[]) {
  const ms = leaps[decisions.draw(leaps.length)]!;
  scheduler.trace(`${ms / SECOND_MS} seconds pass`);
  leap(ms);
}

/** Runs steps that the decisions choose, until all tabs have performed their actions or `MAX_STEPS` is reached. */
async function runChosenSteps(world: World): Promise<void> {
  world.startTabs();
  for (;;) {
    await scheduler.waitUntilQuiet();
    if (world.openTabs === 0 || scheduler.steps >= MAX_STEPS) return;
    const choices = choicesOf(world);
    if (choices.length === 0) throw new Error('No step can run, but tabs are still open.');
    const choice = world.decisions.pick(choices);
    if (choice.label) scheduler.trace(choice.label);
    await choice.perform();
    await scheduler.finishStep();
    if (scheduler.steps % STEPS_PER_CHECK === 0) await checkInvariants(world);
  }
}

/** Runs the oldest step each time, or else fires the next timer, until nothing is left to do or nothing ever ends. */
async function runUntilIdle(world: World): Promise<void> {
  if (world.isEndless) return;
  let timers = 0;
  for (const end = scheduler.steps + MAX_STEPS_UNTIL_IDLE; scheduler.steps < end;) {
    await scheduler.waitUntilQuiet();
    const [operation] = scheduler.listRunnable();
    if (operation) await scheduler.perform(operation);
    else if (world.unfinished.size === 0 && scheduler.isIdle()) return;
    else if (++timers > MAX_TIMERS_UNTIL_IDLE) return;
    else fireTimer();
    await scheduler.finishStep();
  }
  world.isEndless = true;
  world.ledger.note(`Work did not end within ${MAX_STEPS_UNTIL_IDLE} steps.`);
}

/** Fires the timers that are due after the clock was advanced. */
async function fireDue(world: World): Promise<void> {
  for (
    let timer = simulatedRuntime.nextDue();
    timer && timer.dueAt <= simulatedRuntime.now;
    timer = simulatedRuntime.nextDue()
  ) {
    simulatedRuntime.fire(timer);
    await runUntilIdle(world);
  }
}

/** Runs a sweep and a round of mail. */
async function sweepAndSendMail(world: World): Promise<void> {
  const copy = world.copies[0]!;
  void world.trackWork('the last sweep', copy.sweep(true));
  await runUntilIdle(world);
  void world.trackWork('the last mail', copy.sendMail(world.mailBox));
  await runUntilIdle(world);
}

async function pauseFor(world: World, ms: number): Promise<void> {
  leap(ms);
  await fireDue(world);
  await sweepAndSendMail(world);
}

async function runFinalPauses(world: World): Promise<void> {
  Object.assign(faults, NO_FAULTS);
  await runUntilIdle(world);
  for (const ms of FINAL_PAUSES_MS) await pauseFor(world, ms);
  await checkHoldsEnded(world);
  void world.trackWork('the last payments', payOrders(world, await readUnpaidOrders()));
  await runUntilIdle(world);
  for (const ms of LAST_PAUSES_MS) await pauseFor(world, ms);
}

/** Runs one case. The same case and decisions give the same trace. */
export async function runCase(
  simulatedCase: SimulatedCase,
  { random, createRandom, connection }: RunOptions,
): Promise<RunResult> {
  const start = realMs();
  const decisions = new Decisions(random, simulatedCase.decisions);
  simulatedRuntime.reset(createRandom, simulatedCase.seed);
  scheduler.begin(decisions);
  const world = new World(simulatedCase, decisions, connection);
  await world.open();
  await runChosenSteps(world);
  await checkInvariants(world);
  await runFinalPauses(world);
  for (const copy of world.copies) copy.isStepped = false;
  await checkFinalState(world);
  const { problems } = world.ledger;
  await close(world);
  return {
    ...{ hash: scheduler.digest(), problems, steps: scheduler.steps, story: scheduler.story },
    ...{ decisions: decisions.made, seconds: (realMs() - start) / 1000 },
  };
}

async function close(world: World): Promise<void> {
  for (const copy of world.copies) {
    copy.isDead = true;
    copy.crash(new Error('closed'));
  }
  await scheduler.endAllSessions(world.copies);
}
