import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const CASES = join(root, 'tools/simulate/cases');
jest.setTimeout(600_000);

/** Runs `npm run tool -- simulate ...` on a PostgreSQL of its own. */
function simulate(...args: string[]) {
  const { DATABASE_URL: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/tool.mjs'), 'simulate', ...args],
    {
      encoding: 'utf8',
      env,
    },
  );
  return { code: status, lines: stdout.trim().split('\n'), errors: stderr };
}

describe('The simulator', () => {
  it('finds no broken invariant in five seeds', () => {
    const { code, lines } = simulate('--seeds', '5', '--from', '1');
    expect([code, lines.at(-1)]).toEqual([0, expect.stringContaining('no broken invariant')]);
  });

  it.each(readdirSync(CASES))('finds no broken invariant in the stored case %s', (name) => {
    const { code, lines } = simulate('--case', join(CASES, name));
    expect([code, lines.at(-2)]).toEqual([0, expect.stringMatching(/^\d+ steps, 0 broken invariants$/)]);
  });
});
