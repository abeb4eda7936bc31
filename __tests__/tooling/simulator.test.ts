import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface PlantedBug {
  name: string;
  file: string;
  find: string;
  replace: string;
}

const root = join(__dirname, '../..');
jest.setTimeout(300_000);

/** Runs `npm run simulate -- ...`. */
function simulate(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/simulate.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { code: status, lines: stdout.trim().split('\n'), errors: stderr };
}

/** The bug in `plantedBugs.mjs` that each stored case once found. */
const GUARDS_OF_CASES = { 'suspendedMailCopy.json': 'a copy sends an email again that it is still recording' };

describe('The simulator', () => {
  it('produces the same trace for the same seed in two processes', () => {
    const runs = [simulate('--seed', '7'), simulate('--seed', '7')];
    expect(runs.map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const traces = runs.map(({ lines }) => lines.at(-1));
    expect(traces[0]).toMatch(/^trace [0-9a-f]{16}$/);
    expect(traces[1]).toBe(traces[0]);
  });

  it.each(Object.entries(GUARDS_OF_CASES))(
    'finds no broken invariant in the case %s, but finds one again without the guard that was added for it',
    (name, guard) => {
      const path = join(root, 'simulate/cases', name);
      const { code, lines } = simulate('--case', path);
      expect([code, lines.at(-2)]).toEqual([0, expect.stringMatching(/^\d+ steps, 0 broken invariants$/)]);
      expect(simulate('--planted', guard, '--case', path).lines.at(-1)).toBe('1 of 1 planted bugs found');
    },
  );

  it('has a guard for each stored case', () => {
    expect(readdirSync(join(root, 'simulate/cases'))).toEqual(Object.keys(GUARDS_OF_CASES));
  });

  // The second bug is found by the audit, which looks again after three simulated seconds.
  it.each([
    ['a payment closes its attempt but is not recorded', '2'],
    ['the fast path of a payment ignores whether the order can be paid', '29'],
  ])('finds a bug after a guard was taken out of the code: %s', (name, seed) => {
    const { code, lines } = simulate('--planted', name, '--from', seed, '--minutes', '2');
    expect([code, lines.at(-1)]).toEqual([0, '1 of 1 planted bugs found']);
  });

  it('refuses unknown arguments', () => {
    const { code, errors } = simulate('--sed', '7');
    expect([code, errors]).toEqual([2, expect.stringMatching(/^Usage: npm run simulate/)]);
  });
});

it('each guard that the simulator can take out occurs exactly once in the code', async () => {
  const { PLANTED_BUGS } = (await import(join(root, 'simulate/plantedBugs.mjs'))) as { PLANTED_BUGS: PlantedBug[] };
  const countOf = ({ file, find }: PlantedBug) => readFileSync(join(root, file), 'utf8').split(find).length - 1;
  expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(40);
  expect(PLANTED_BUGS.filter((bug) => countOf(bug) !== 1).map(({ name }) => name)).toEqual([]);
  expect(PLANTED_BUGS.filter(({ find, replace }) => find === replace)).toEqual([]);
});
