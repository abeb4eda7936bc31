import { createHash, type Hash } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import type { Copy } from './copies';
import type { Decisions } from './decisions';
import { simulatedRuntime, realMs, realSleep, START_MS, waitForEventLoopTurn } from './simulatedRuntime';
import { frozenSessions } from './frozenSessions';
import { endLockWaits, MAX_STATEMENT_MS } from './lockWaits';
import { endSessions, readBlockers, readSessions } from './sessions';
import { compareByContent, describeOutcome, type Operation } from './operations';
import type { SteppedClient } from './steppedClient';

type HeldStep = Pick<Operation, 'kind' | 'label' | 'copy' | 'client' | 'run'> &
  Partial<Pick<Operation, 'detail' | 'earliestStep'>>;

/** Something that the scheduler can do next: run a held step, fire a timer, sweep, send mail or crash a copy. */
export interface Choice {
  weight: number;
  label: string;
  perform: () => Promise<unknown> | unknown;
}

const IDLE_TURNS = 12;
/** If a statement has not ended after this time, the scheduler asks PostgreSQL whether it waits for a lock. */
const ASK_AFTER_MS = 2;
/** The database's clock is updated once it is this far behind, because each update is a statement of its own. */
const CLOCK_LAG_MS = 50;

class Scheduler {
  decisions!: Decisions;
  steps = 0;
  story: string[] = [];
  private arrived: Operation[] = [];
  private waiting: Operation[] = [];
  private hash!: Hash;
  private lastId = 0;
  private databaseNow = 0;
  private control!: Client;
  private activity = 0;

  async connect(connection: ClientConfig) {
    this.control = new Client(connection);
    await this.control.connect();
  }

  get controlConnection() {
    return this.control;
  }

  disconnect = () => this.control.end();

  begin(decisions: Decisions) {
    this.decisions = decisions;
    Object.assign(this, { steps: 0, story: [], arrived: [], waiting: [], lastId: 0, databaseNow: 0 });
    this.hash = createHash('sha256');
  }

  trace(line: string) {
    this.hash.update(`${simulatedRuntime.now} ${line}\n`);
    this.story.push(`${((simulatedRuntime.now - START_MS) / 1000).toFixed(3)} ${line}`);
  }

  digest = () => this.hash.copy().digest('hex').slice(0, 16);

  /** Holds the step until the scheduler chooses it. Resolves with its result. */
  hold(held: HeldStep): Promise<unknown> {
    this.activity++;
    return new Promise((resolve, reject) => {
      this.arrived.push({
        ...{ detail: '', earliestStep: 0, ...held, id: 0, state: 'held', outcome: undefined, blockedAt: 0 },
        connectionNumber: held.client?.number ?? 0,
        deliver: ({ value, error }) => (error ? reject(error) : resolve(value)),
      });
    });
  }

  /** Waits until all code waits for a step, a timer or PostgreSQL. */
  async waitUntilQuiet(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS;) {
      const activityBefore = this.activity;
      await waitForEventLoopTurn();
      if (simulatedRuntime.inFlight === 0 && activityBefore === this.activity) idle++;
      else idle = 0;
    }
    this.arrived.sort(compareByContent);
    for (const operation of this.arrived) operation.id = ++this.lastId;
    this.waiting.push(...this.arrived.splice(0));
    this.waiting = this.waiting.filter(({ copy }) => !copy?.isDead);
  }

  /** Renumbers the waiting steps, so that their numbers do not depend on how many steps the copies took to start. */
  async renumber(): Promise<void> {
    await this.waitUntilQuiet();
    this.waiting.sort(compareByContent);
    this.waiting.forEach((operation, n) => (operation.id = n + 1));
    this.lastId = this.waiting.length;
  }

  /** @returns the steps that can run now. A connection can run only the first of its waiting statements. */
  listRunnable(): Operation[] {
    const busy = new Set<SteppedClient>();
    return this.waiting.filter(({ state, client }) => {
      const isFirstOfClient = !client || !busy.has(client);
      if (client) busy.add(client);
      return state === 'held' && isFirstOfClient;
    });
  }

  isIdle = () => this.waiting.length === 0 && this.arrived.length === 0;

  async perform(operation: Operation): Promise<void> {
    // A start takes no simulated time, because its number of statements depends on caches that earlier copies filled.
    if (!operation.copy?.isStarting) {
      this.steps++;
      simulatedRuntime.now++;
    }
    if (operation.kind === 'statement') await this.updateDatabaseClock();
    operation.state = 'running';
    const ended = operation
      .run()
      .then(
        (value) => (operation.outcome = { value }),
        (error: Error) => (operation.outcome = { error }),
      )
      .finally(() => this.activity++);
    const isDone = await this.waitFor(operation, ended);
    const copy = operation.copy ? `copy ${operation.copy.number}` : '';
    const connection = operation.client ? ` connection ${operation.client.number}` : '';
    if (!operation.copy?.isStarting)
      this.trace(
        `${copy}${connection} ${operation.label} ${operation.detail} -> ${isDone ? describeOutcome(operation) : 'waits'}`,
      );
    await this.deliverFinished();
  }

  async updateDatabaseClock(): Promise<void> {
    if (simulatedRuntime.now - this.databaseNow < CLOCK_LAG_MS) return;
    this.databaseNow = simulatedRuntime.now;
    const now = new Date(simulatedRuntime.now);
    await this.control.query({ name: 'clock', text: 'update sim.clock set at = $1', values: [now] });
  }

  /** @returns false if the statement waits for a lock. It pauses between checks, to leave CPU time to PostgreSQL. */
  private async waitFor(operation: Operation, ended: Promise<unknown>): Promise<boolean> {
    const start = realMs();
    while (!operation.outcome) {
      await Promise.race([ended, realSleep(ASK_AFTER_MS)]);
      if (operation.outcome || !operation.client) continue;
      if (realMs() - start > MAX_STATEMENT_MS) throw new Error(`This step took too long: ${operation.label}`);
      const [pids] = await readBlockers(this.control, [operation.client.pid]);
      if (operation.outcome || pids!.length === 0) continue;
      operation.state = 'blocked';
      operation.blockedAt = simulatedRuntime.now;
      frozenSessions.freeze(operation.client.pid);
      return false;
    }
    operation.state = 'finished';
    return true;
  }

  private async deliverFinished(): Promise<void> {
    await endLockWaits(this.control, () => this.waiting.filter(({ state }) => state === 'blocked'));
    for (;;) {
      const next = this.waiting.find(({ state }) => state === 'finished');
      if (!next) return;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      if (next.blockedAt > 0) this.trace(`connection ${next.client!.number} stops waiting -> ${describeOutcome(next)}`);
      if (!next.copy?.isDead) next.deliver(next.outcome!);
      await this.waitUntilQuiet();
    }
  }

  async finishStep() {
    await this.deliverFinished();
    await this.waitUntilQuiet();
  }

  async endAllSessions(copies: Copy[]): Promise<void> {
    const ends = copies.map((copy) => copy.connectionsEnded());
    frozenSessions.thawAll();
    await endSessions(this.control, await readSessions(this.control));
    await Promise.all(ends);
    this.waiting = [];
    this.arrived = [];
    await waitForEventLoopTurn();
  }

  /** Runs the steps of one copy, oldest first, until its `work` has ended. The steps of other copies wait. */
  async runStepsOf<T>(copy: Copy, work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    done.catch(() => undefined);
    while (!isDone) {
      await this.waitUntilQuiet();
      if (isDone) break;
      const operation = this.listRunnable().find((runnable) => runnable.copy === copy);
      if (operation) await this.perform(operation);
      else await realSleep(1);
    }
    return done;
  }

  /** Ends the database sessions of a crashed copy, as the operating system does for a killed process. */
  async endSessionsOf(copy: Copy): Promise<void> {
    const ends = copy.connectionsEnded();
    const pids = [...copy.connections].map(({ pid }) => pid);
    pids.forEach((pid) => frozenSessions.thaw(pid));
    await endSessions(this.control, pids);
    await ends;
    this.waiting = this.waiting.filter((operation) => operation.copy !== copy);
    await this.finishStep();
  }
}

export const scheduler = new Scheduler();
