import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (...parts: string[]) => readFileSync(join(ROOT, ...parts), 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

/** What the image takes out again, as it was needed for building alone. */
function takenOut(): string[] {
  const [, list = ''] = /npm uninstall (.*?)\n\nFROM/s.exec(read('deploy/Dockerfile')) ?? [];
  return list.split(/[\s\\]+/).filter((word) => word !== '' && !word.startsWith('--'));
}

/** The packages that the built server asks for when it runs. */
function askedFor(): string[] {
  const files = readdirSync(join(ROOT, 'dist/server'), { recursive: true, encoding: 'utf8' });
  const code = files.filter((name) => name.endsWith('.js')).map((name) => read('dist/server', name));
  const names = [...code.join('\n').matchAll(/\brequire\("((?:@[^/"]+\/)?[^/".]+)[^"]*"\)/g)].map(([, name]) => name!);
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}

test('the image keeps what the server asks for, and takes out nothing that is not there', () => {
  expect(takenOut().length).toBeGreaterThan(10);
  expect(takenOut().filter((name) => !(name in dependencies))).toEqual([]);
  expect(askedFor()).toContain('fastify');
  expect(askedFor().filter((name) => takenOut().includes(name) || !(name in dependencies))).toEqual([]);
});
