import { drawFaults, NO_FAULTS, type Faults } from './faults';
import type { Random } from './random';

export const CUSTOMER_ACTIONS = ['order', 'pay', 'look', 'delete', 'sign out', 'sign in', 'forbidden call'] as const;
export const ADMIN_ACTIONS = [
  ...([
    'ship',
    'refund',
    'ship and refund',
    'offer price',
    'restock',
    'change price',
    'delete any',
    'sign customer out',
    'block customer',
    'erase customer',
    'record returned money',
    'charge by hand',
    'refund at provider',
  ] as const),
];
export type ActionName = (typeof CUSTOMER_ACTIONS)[number] | (typeof ADMIN_ACTIONS)[number];

/**
 * One action of a person. `choices` are drawn numbers that select an order, a tool or a card among those that exist
 * when the action runs.
 */
export interface Action {
  name: ActionName;
  choices: number[];
}

/** One browser tab of a person. Its actions run one after another, concurrently with those of other tabs. */
export interface Tab {
  person: number;
  actions: Action[];
}

/** Everything that determines a run. A case can be stored, shrunk and run again. */
export interface SimulatedCase {
  /** Determines the random values of the servers, such as ids. */
  seed: number;
  copies: number;
  faults: Faults;
  /** How often each kind of step is chosen, relative to a held statement, which has the weight 10. A leap moves the clock. */
  weights: { timer: number; leap: number; sweep: number; mail: number; crash: number };
  tabs: Tab[];
  /** Undefined in a generated case, because its decisions are drawn from the seed. */
  decisions?: number[];
}

const CUSTOMER_WEIGHTS: Record<(typeof CUSTOMER_ACTIONS)[number], number> = {
  ...{ order: 6, pay: 8, look: 2, delete: 5 },
  ...{ 'sign out': 1, 'sign in': 1, 'forbidden call': 2 },
};
const ADMIN_WEIGHTS: Record<(typeof ADMIN_ACTIONS)[number], number> = {
  ...{ ship: 4, refund: 8, 'ship and refund': 4, 'offer price': 4, restock: 2, 'change price': 2 },
  ...{ 'delete any': 1, 'sign customer out': 1, 'block customer': 1, 'erase customer': 1 },
  ...{ 'record returned money': 2, 'charge by hand': 2, 'refund at provider': 2 },
};

const withChoices = (random: Random, name: ActionName): Action => ({
  name,
  choices: Array.from({ length: 6 }, () => random.integer(0, 999)),
});

function drawAction<Name extends ActionName>(random: Random, weights: Record<Name, number>): Action {
  const names = Object.entries<number>(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name));
  return withChoices(random, random.pick(names) as Name);
}

const drawActions = <Name extends ActionName>(random: Random, weights: Record<Name, number>, maxCount: number) =>
  Array.from({ length: random.integer(1, maxCount) }, () => drawAction(random, weights));

const FOCUS_FACTOR = 5;

/** Lets a case draw one of its actions more often, so that rare actions meet each other in some cases. */
function withFocus<Name extends ActionName>(random: Random, weights: Record<Name, number>): Record<Name, number> {
  const focus = random.pick(Object.keys(weights) as Name[]);
  return { ...weights, [focus]: FOCUS_FACTOR * weights[focus] };
}

/** Customers begin with an order and usually pay for it, so that admins find orders to ship and refund. */
function drawCustomerTab(random: Random, person: number, weights: typeof CUSTOMER_WEIGHTS): Tab {
  const actions = drawActions(random, weights, 4);
  const { choices } = actions[0]!;
  const first: Action[] = [{ name: 'order', choices }];
  if (random.chance(0.6)) first.push({ name: 'pay', choices });
  return { person, actions: [...first, ...actions] };
}

const CONTESTING_TABS: ActionName[][] = [
  ['order', 'delete', 'order', 'delete', 'order', 'delete'],
  ['pay', 'pay', 'pay'],
  ['pay', 'pay', 'pay'],
];

/** In one tab, a customer places and deletes orders, which the other tabs pay. No leap lets requests time out. */
const drawContestedOrders = (random: Random, seed: number): SimulatedCase => ({
  seed,
  copies: 2,
  faults: { ...NO_FAULTS, stall: 400 },
  weights: { timer: random.pick([2, 4]), leap: 0, sweep: random.pick([0, 1]), mail: 0, crash: 0 },
  tabs: CONTESTING_TABS.map((names) => ({ person: 0, actions: names.map((name) => withChoices(random, name)) })),
});

const REFUNDING_TABS: ActionName[][] = [
  ['refund', 'refund', 'refund', 'refund'],
  ['refund', 'refund at provider', 'refund', 'refund'],
];

/** A customer pays an order or two, which two admins refund in parts. */
function drawContestedRefunds(random: Random, seed: number): SimulatedCase {
  const orders = random.integer(1, 2);
  const paidOrders = Array.from({ length: orders }, () => {
    const order = withChoices(random, 'order');
    return [order, { ...order, name: 'pay' as const }];
  });
  return {
    seed,
    copies: 2,
    faults: random.chance(0.5) ? { ...NO_FAULTS } : drawFaults(random),
    weights: {
      timer: 2,
      leap: random.pick([0, 1]),
      sweep: random.pick([0, 1]),
      mail: 0,
      crash: random.pick([0, 0, 1]),
    },
    tabs: [
      { person: 0, actions: paidOrders.flat() },
      ...REFUNDING_TABS.map((names, n) => ({
        person: 2 + n,
        actions: names.map((name) => withChoices(random, name)),
      })),
    ],
  };
}

/** The shares of cases with contested orders and refunds. */
const CONTESTED_ORDERS = 0.25;
const CONTESTED_REFUNDS = 0.25;

/** Draws a case. The customers have the indexes 0 and 1, the admins 2 and 3. */
export function drawCase(random: Random, seed: number): SimulatedCase {
  if (random.chance(CONTESTED_ORDERS)) return drawContestedOrders(random, seed);
  if (random.chance(CONTESTED_REFUNDS)) return drawContestedRefunds(random, seed);
  const customers = [0, ...random.pick([[], [0], [1], [0, 1], [1, 1]])];
  const admins = random.pick([[2], [2], [2, 2], [2, 3]]);
  const customerWeights = withFocus(random, CUSTOMER_WEIGHTS);
  const adminWeights = withFocus(random, ADMIN_WEIGHTS);
  return {
    seed,
    copies: random.pick([2, 2, 3]),
    faults: random.chance(0.3) ? { ...NO_FAULTS } : drawFaults(random),
    weights: {
      timer: random.pick([1, 2, 4]),
      leap: random.pick([0, 0, 1, 2]),
      sweep: random.pick([0, 1, 1, 3]),
      mail: random.pick([0, 1, 2]),
      crash: random.pick([0, 0, 1]),
    },
    tabs: [
      ...customers.map((person) => drawCustomerTab(random, person, customerWeights)),
      ...admins.map((person) => ({ person, actions: drawActions(random, adminWeights, 4) })),
    ],
  };
}
