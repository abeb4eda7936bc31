import { createRequire } from 'node:module';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CreateRandom, Random } from './random';

/** The copy of the server that the running code belongs to. When a copy crashes, its timers no longer fire. */
export const currentCopy = new AsyncLocalStorage<{ isDead: boolean }>();

/**
 * Set while a page is rendered. Its HTML depends only on the input, so rendering may use Node's own timers and
 * randomness.
 */
export const inRealTime = new AsyncLocalStorage<true>();

export interface VirtualTimer {
  id: number;
  dueAt: number;
  everyMs: number | undefined;
  fire: () => void;
  owner: { isDead: boolean } | undefined;
}

export const START_MS = Date.UTC(2026, 0, 5, 12);
const realFunctions = {
  setImmediate,
  setTimeout,
  clearTimeout,
  Date,
  performanceNow: performance.now.bind(performance),
};
/**
 * Loads a built-in module as an object whose functions can be replaced. The types of Node declare them as read-only.
 */
const loadBuiltInModule = (name: string) => createRequire(__filename)(name) as Record<string, unknown>;

/**
 * The clock, the timers and the random numbers of this process. They replace Node's own functions instead of those in
 * the server's files, so that libraries use them too.
 */
class SimulatedRuntime {
  now = START_MS;
  timers = new Map<number, VirtualTimer>();
  private random: Random | undefined;
  private createRandom: CreateRandom | undefined;
  private seed: unknown;
  /** The number of asynchronous calls in progress that end by themselves, such as signatures and new connections. */
  inFlight = 0;
  private nextTimer = 1;

  reset(createRandom: CreateRandom, seed: unknown) {
    Object.assign(this, { now: START_MS, nextTimer: 1, createRandom, seed });
    this.timers.clear();
    this.reseed('ids');
  }

  /**
   * Starts a new random sequence. The number of values that a starting copy draws depends on caches that earlier copies
   * have filled. With a new sequence, later values do not depend on that number.
   */
  reseed(name: string) {
    this.random = this.createRandom?.(`${name} ${String(this.seed)}`);
  }

  addTimer(fire: () => void, ms = 0, isRepeated = false) {
    const id = this.nextTimer++;
    const owner = currentCopy.getStore();
    const delay = Math.max(1, ms);
    this.timers.set(id, { id, dueAt: this.now + delay, everyMs: isRepeated ? delay : undefined, fire, owner });
    return new TimerHandle(id);
  }

  nextDue(): VirtualTimer | undefined {
    let next: VirtualTimer | undefined;
    for (const timer of this.timers.values()) {
      if (timer.owner?.isDead) this.timers.delete(timer.id);
      else if (!next || timer.dueAt < next.dueAt) next = timer;
    }
    return next;
  }

  /** Runs an interval once, however often it was due, as Node does after a suspended process has continued. */
  fire(timer: VirtualTimer) {
    this.now = Math.max(this.now, timer.dueAt);
    if (timer.everyMs === undefined) this.timers.delete(timer.id);
    else timer.dueAt = this.now + timer.everyMs;
    timer.fire();
  }

  bytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.integer(0, 256)));
  }

  integer(min: number, max: number): number {
    const isOutsideRun = inRealTime.getStore() ?? currentCopy.getStore()?.isDead;
    const next = this.random && !isOutsideRun ? this.random.next() : Math.random();
    return min + Math.floor(next * (max - min));
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

class TimerHandle {
  constructor(readonly id: number) {}
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
  refresh() {
    const timer = simulatedRuntime.timers.get(this.id);
    if (timer) timer.dueAt = simulatedRuntime.now + (timer.everyMs ?? 0);
    return this;
  }
  [Symbol.toPrimitive] = () => this.id;
}

export const simulatedRuntime = new SimulatedRuntime();

class SimulatedDate extends realFunctions.Date {
  constructor(...parts: unknown[]) {
    super(...((parts.length > 0 ? parts : [simulatedRuntime.now]) as [number]));
  }
  static override now = () => simulatedRuntime.now;
}

const clearTimer = (handle: unknown) => {
  if (handle instanceof TimerHandle) simulatedRuntime.timers.delete(handle.id);
  else realFunctions.clearTimeout(handle as NodeJS.Timeout);
};

function sleep(ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const handle = simulatedRuntime.addTimer(() => resolve(value), ms);
    signal?.addEventListener('abort', () => (clearTimer(handle), reject(signal.reason as Error)), { once: true });
  });
}

function replaceTimers() {
  const start =
    (isRepeated: boolean) =>
    (work: (...parameters: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
      if (inRealTime.getStore()) return realFunctions.setTimeout(work, ms, ...rest);
      const run = AsyncLocalStorage.bind(() => work(...rest));
      return simulatedRuntime.addTimer(run, ms, isRepeated);
    };
  const timers = {
    setTimeout: start(false),
    setInterval: start(true),
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
  };
  const { setTimeout, setInterval, clearTimeout, clearInterval, Date } = globalThis;
  const originals = { setTimeout, setInterval, clearTimeout, clearInterval };
  const sleepReally = loadBuiltInModule('node:timers/promises')['setTimeout'];
  Object.assign(globalThis, timers, { Date: SimulatedDate });
  Object.assign(loadBuiltInModule('node:timers'), timers);
  Object.assign(loadBuiltInModule('node:timers/promises'), { setTimeout: sleep });
  performance.now = () => simulatedRuntime.now - START_MS;
  return () => {
    Object.assign(globalThis, originals, { Date });
    Object.assign(loadBuiltInModule('node:timers'), originals);
    Object.assign(loadBuiltInModule('node:timers/promises'), { setTimeout: sleepReally });
    performance.now = realFunctions.performanceNow;
  };
}

type Callback = (error: Error | null, result?: unknown) => void;

/** Runs the function synchronously. In Node's thread pool it would end at a time that the seed does not decide. */
const inThisThread =
  (run: (...parameters: unknown[]) => unknown) =>
  (...parameters: unknown[]) => {
    const done = parameters.pop() as Callback;
    done(null, run(...parameters));
  };

/** Leaves `Math.random` unchanged: only the rendering of pages calls it, and each page is rendered once per process. */
function replaceRandomness() {
  const crypto = loadBuiltInModule('node:crypto');
  Object.assign(crypto, {
    randomUUID: () => simulatedRuntime.uuid(),
    randomInt: (min: number, max?: number) =>
      max === undefined ? simulatedRuntime.integer(0, min) : simulatedRuntime.integer(min, max),
    randomBytes: (size: number) => simulatedRuntime.bytes(size),
    scrypt: inThisThread(crypto['scryptSync'] as () => Buffer),
  });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: () => simulatedRuntime.uuid() });
  const subtle = globalThis.crypto.subtle as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  for (const name of ['sign', 'verify', 'importKey', 'exportKey', 'digest', 'generateKey', 'deriveBits']) {
    const run = subtle[name]!.bind(subtle);
    Object.defineProperty(subtle, name, { value: (...parameters: unknown[]) => runInOrder(() => run(...parameters)) });
  }
}

let lastInOrder: Promise<unknown> = Promise.resolve();

/** Runs one after another what would end in any order in Node's thread pool, such as checks of two signatures. */
function runInOrder<T>(run: () => Promise<T>): Promise<T> {
  const work = lastInOrder.then(run);
  lastInOrder = work.catch(() => undefined);
  return trackWork(work);
}

/** Counts the work as in flight. The scheduler waits for it before it chooses the next step. */
export function trackWork<T>(work: Promise<T>): Promise<T> {
  simulatedRuntime.inFlight++;
  return work.finally(() => simulatedRuntime.inFlight--);
}

/**
 * Makes compression synchronous, because the server compresses a changed list before it responds. In a thread pool, it
 * would end at a time that the seed does not decide.
 */
function replaceCompression() {
  const zlib = loadBuiltInModule('node:zlib') as Record<string, (...parameters: unknown[]) => Buffer>;
  for (const name of ['gzip', 'brotliCompress']) zlib[name] = inThisThread(zlib[`${name}Sync`]!) as never;
}

/** @returns a function that restores Node's own timers */
export function installSimulatedRuntime(): () => void {
  replaceRandomness();
  replaceCompression();
  return replaceTimers();
}

export const waitForEventLoopTurn = () => new Promise<void>((resolve) => realFunctions.setImmediate(resolve));
export const realSleep = (ms: number) => new Promise<void>((resolve) => void realFunctions.setTimeout(resolve, ms));
export const realMs = realFunctions.performanceNow;

const REAL_PAUSE_MS = 5;

/**
 * Fires timers until the work has ended. Used outside of a run, where no scheduler fires them. Pauses before each, so
 * that untracked work such as reading a file ends before the request that needs it times out.
 */
export async function runTimersUntilDone<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined);
  while (!isDone) {
    for (let n = 0; n < 20 && !isDone; n++) await waitForEventLoopTurn();
    if (!isDone) await realSleep(REAL_PAUSE_MS);
    const timer = simulatedRuntime.inFlight === 0 ? simulatedRuntime.nextDue() : undefined;
    if (timer && !isDone) simulatedRuntime.fire(timer);
  }
  return done;
}
