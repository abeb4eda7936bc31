import type { ClientConfig } from 'pg';
import { readInitialIds, storeInitialRows } from './initialRows';
import { openCopy } from './copies';
import { DATABASE_NAME, prepareDatabase, chooseDeadlockSettings, steppedConnection } from './database';
import { Decisions } from './decisions';
import { NO_FAULTS } from './faults';
import { simulatedRuntime, runTimersUntilDone } from './simulatedRuntime';
import { drawCase, type SimulatedCase } from './plan';
import type { CreateRandom } from './random';
import { runCase, type RunResult } from './run';
import { scheduler } from './scheduler';

export interface Simulator {
  runSeed(seed: number): Promise<{ simulatedCase: SimulatedCase; result: RunResult }>;
  runCase(simulatedCase: SimulatedCase): Promise<RunResult>;
  close(): Promise<void>;
}

/** Creates the database that all runs use: migrated, with the accounts and tools with which each run begins. */
export async function createDatabase(server: ClientConfig, createRandom: CreateRandom): Promise<void> {
  simulatedRuntime.reset(createRandom, 'beginning');
  await prepareDatabase(server);
  scheduler.begin(new Decisions(undefined));
  const copy = await openCopy(0, steppedConnection(server));
  copy.isStepped = false;
  await scheduler.runStepsOf(copy, runTimersUntilDone(storeInitialRows(copy)));
  await scheduler.runStepsOf(copy, runTimersUntilDone(copy.shop.close()));
  copy.isDead = true;
  await scheduler.disconnect();
}

const WARM_UP: SimulatedCase = {
  ...{ seed: 0, copies: 3, faults: NO_FAULTS, tabs: [], decisions: [] },
  weights: { timer: 1, leap: 0, sweep: 0, mail: 0, crash: 0 },
};

/** Opens the simulator on the database that `createDatabase` made. */
export async function openSimulator(server: ClientConfig, createRandom: CreateRandom): Promise<Simulator> {
  await scheduler.connect({ ...server, database: DATABASE_NAME });
  await chooseDeadlockSettings();
  const connection = steppedConnection(server);
  await readInitialIds();
  // Fills the caches of compiled schemas and rendered pages, so that all later copies start with the same work.
  for (let n = 0; n < 2; n++) await runCase(WARM_UP, { createRandom, connection });
  return {
    async runSeed(seed) {
      const random = createRandom(seed);
      const simulatedCase = drawCase(random, seed);
      const result = await runCase(simulatedCase, { random, createRandom, connection });
      return { simulatedCase: { ...simulatedCase, decisions: result.decisions }, result };
    },
    runCase: (simulatedCase) => runCase(simulatedCase, { createRandom, connection }),
    close: () => scheduler.disconnect(),
  };
}
