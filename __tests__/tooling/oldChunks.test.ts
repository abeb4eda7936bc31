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

/** A build whose one part is this ends; the files that are there then. */
function finish(part: string): string[] {
  writeFileSync(join(assets, part), '');
  writeFileSync(join(maps, `${part}.map`), '');
  const code = `import { deleteOldChunks } from '${BUILD}'; deleteOldChunks(['${part}'], process.argv[1]);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, client], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return readdirSync(assets).sort();
}

// Clause C.14.3
test('a build keeps its own parts and those of the build before, and none that are older', () => {
  writeFileSync(join(assets, 'a.1.js.br'), '');
  writeFileSync(join(assets, 'a.0.js'), '');
  expect(finish('a.1.js')).toEqual(['a.1.js', 'a.1.js.br']);
  for (const again of [1, 2]) expect([again, ...finish('a.2.js')]).toEqual([again, 'a.1.js', 'a.1.js.br', 'a.2.js']);
  expect(finish('a.3.js')).toEqual(['a.2.js', 'a.3.js']);
  expect(readdirSync(maps).sort()).toEqual(['a.2.js.map', 'a.3.js.map']);
});
