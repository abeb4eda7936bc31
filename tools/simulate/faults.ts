import type { Random } from './random';

/** The rate of each fault in thousandths. Each seed draws its own rates, each of which can be 0. */
export interface Faults {
  provider: number;
  delivery: number;
  response: number;
  mail: number;
  stall: number;
}

export const NO_FAULTS: Faults = { provider: 0, delivery: 0, response: 0, mail: 0, stall: 0 };

/** The rates of the current run, which `World` sets. */
export const faults: Faults = { ...NO_FAULTS };

export const drawFaults = (random: Random): Faults => ({
  provider: random.pick([0, 0, 50, 200]),
  delivery: random.pick([0, 100, 400]),
  response: random.pick([0, 50, 200]),
  mail: random.pick([0, 0, 150]),
  stall: random.pick([0, 200, 500]),
});
