import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BUILD = pathToFileURL(join(__dirname, '../../scripts/build.mjs')).href;
const ONE_HOUR_AGO = Date.now() / 1000 - 3600;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sources-'));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  for (const name of ['src/index.ts', 'src/deep/money.ts', 'package.json']) write(name, 'const CENTS = 100;', 0);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file with a modification time of `seconds` after a fixed time one hour ago. */
function write(name: string, text: string, seconds: number): void {
  const file = join(root, name);
  writeFileSync(file, text);
  utimesSync(file, ONE_HOUR_AGO + seconds, ONE_HOUR_AGO + seconds);
}

/** Equal fingerprints mean that the build is up to date. */
function fingerprint(): string {
  const code = `import { computeFingerprint } from '${BUILD}';
    console.log(computeFingerprint(process.argv[1], ['src', 'package.json']));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, root], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^[0-9a-f]{64}\n$/);
  return stdout;
}

it.each<[string, () => void]>([
  ['whose content changes with the same size', () => write('src/deep/money.ts', 'const CENTS = 101;', 1)],
  ['in the top folder that is the only changed one', () => write('package.json', 'const CENTS = 101;', 1)],
  ['that grows within the same second', () => write('src/index.ts', 'const CENTS = 1000;', 0)],
  ['that is new', () => write('src/deep/new.ts', '', 0)],
  ['that is deleted', () => rmSync(join(root, 'src/index.ts'))],
  ['that is renamed', () => renameSync(join(root, 'src/index.ts'), join(root, 'src/main.ts'))],
])('a source file %s causes the shop to be built again', (_case, change) => {
  const fingerprintBefore = fingerprint();
  change();
  expect(fingerprint()).not.toBe(fingerprintBefore);
});

it('the shop is not built again if its sources have not changed', () => {
  expect(fingerprint()).toBe(fingerprint());
});
