import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (...parts: string[]) => readFileSync(join(ROOT, ...parts), 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

/** @returns the packages that the image removes after the build */
function removedPackages(): string[] {
  const [, list = ''] = /npm uninstall (.*?)\n\nFROM/s.exec(read('deploy/Dockerfile')) ?? [];
  return list.split(/[\s\\]+/).filter((word) => word !== '' && !word.startsWith('--'));
}

/** @returns the packages that the built server requires at run time */
function requiredPackages(): string[] {
  const files = readdirSync(join(ROOT, 'dist/server'), { recursive: true, encoding: 'utf8' });
  const code = files.filter((name) => name.endsWith('.js')).map((name) => read('dist/server', name));
  const names = [...code.join('\n').matchAll(/\brequire\("((?:@[^/"]+\/)?[^/".]+)[^"]*"\)/g)].map(([, name]) => name!);
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
}

test('the Docker image keeps every package that the server requires, and removes only packages that are dependencies', () => {
  expect(removedPackages().length).toBeGreaterThan(10);
  expect(removedPackages().filter((name) => !(name in dependencies))).toEqual([]);
  expect(requiredPackages()).toContain('fastify');
  expect(requiredPackages().filter((name) => removedPackages().includes(name) || !(name in dependencies))).toEqual([]);
});

/** @returns the environment that a compose file passes to the shop */
function environmentIn(file: string): Record<string, string> {
  const [, block = ''] = /\n {2}shop:\n.*?\n {4}environment:\n(.*?)\n {4}\w/s.exec(read('deploy', file)) ?? [];
  return Object.fromEntries([...block.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value]) => [name!, value!]));
}

const documentedSettings = () => {
  const [, table = ''] = /## Settings\n(.*?)\n###/s.exec(read('docs/OPERATIONS.md')) ?? [];
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!));
};

/**
 * Settings that compose files do not pass on: the image sets the port and the host, DATA_DIR is only for the embedded
 * database, rate limits must be on, and the emulator is for tests.
 */
const NOT_PASSED_ON = ['PORT', 'HOST', 'DATA_DIR', 'RATE_LIMIT', 'FIREBASE_AUTH_EMULATOR_HOST'];

describe('The compose file of a production shop', () => {
  it('passes on to the server all documented settings, except those that are fixed, unused or for tests', () => {
    expect(documentedSettings()).toEqual(expect.arrayContaining(['PUBLIC_URL', 'FIREBASE_APP_ID', 'LOG_LEVEL']));
    const passed = environmentIn('compose.yaml');
    expect(documentedSettings().filter((name) => !NOT_PASSED_ON.includes(name) && !(name in passed))).toEqual([]);
    const fixed = ['DATABASE_URL', 'PUBLIC_URL', 'DEMO', 'DEMO_EXPOSED'];
    for (const [name, value] of Object.entries(passed))
      if (!fixed.includes(name)) expect([name, value]).toEqual([name, `\${${name}:-}`]);
  });

  it('sets DEMO and DEMO_EXPOSED to values that the environment cannot override, and so does that of the demo', () => {
    expect(environmentIn('compose.yaml')).toMatchObject({ DEMO: "'off'", DEMO_EXPOSED: "'off'" });
    expect(environmentIn('compose.demo.yaml')).toMatchObject({ DEMO: "'on'", DEMO_EXPOSED: "'on'" });
  });
});

describe.each(['compose.yaml', 'compose.demo.yaml'])('%s', (file) => {
  it('contains no default password', () => {
    const passwords = read('deploy', file).match(/\$\{POSTGRES_PASSWORD[^}]*\}/g);
    expect(passwords).toEqual(Array(2).fill('${POSTGRES_PASSWORD:?Set POSTGRES_PASSWORD}'));
    expect(read('deploy', file)).not.toMatch(/POSTGRES_(USER|DB|HOST_AUTH_METHOD)/);
  });

  it('publishes only the port of the shop, on loopback, and creates the database role with database.sql', () => {
    expect(read('deploy', file).match(/ports:.*/g)).toEqual(["ports: ['127.0.0.1:3000:3000']"]);
    expect(read('deploy', file)).toContain('./database.sql:/docker-entrypoint-initdb.d/');
  });
});
