import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BUILD = pathToFileURL(join(__dirname, '../../scripts/build.mjs')).href;
const dist = mkdtempSync(join(tmpdir(), 'dist-'));
const client = join(dist, 'client');
const [assets, maps] = [join(client, 'assets'), join(dist, 'maps')];
for (const folder of [assets, maps]) mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(dist, { recursive: true }));

/**
 * Finishes a build that has only this chunk.
 * @returns the asset files that remain
 */
function finishBuild(chunk: string): string[] {
  writeFileSync(join(assets, chunk), '');
  writeFileSync(join(maps, `${chunk}.map`), '');
  const code = `import { deleteOldChunks } from '${BUILD}'; deleteOldChunks(['${chunk}'], process.argv[1]);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, client], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return readdirSync(assets).sort();
}

// Clause C.14.3
test('a build keeps its own chunks and those of the previous build, but deletes older chunks', () => {
  writeFileSync(join(assets, 'a.1.js.br'), '');
  writeFileSync(join(assets, 'a.0.js'), '');
  expect(finishBuild('a.1.js')).toEqual(['a.1.js', 'a.1.js.br']);
  for (const run of [1, 2]) expect([run, ...finishBuild('a.2.js')]).toEqual([run, 'a.1.js', 'a.1.js.br', 'a.2.js']);
  expect(finishBuild('a.3.js')).toEqual(['a.2.js', 'a.3.js']);
  expect(readdirSync(maps).sort()).toEqual(['a.2.js.map', 'a.3.js.map']);
});
