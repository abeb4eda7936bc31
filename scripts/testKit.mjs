import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './install.mjs';

function load() {
  const require = createRequire(import.meta.url);
  require('ts-node').register({ project: join(root, 'tsconfig.json') });
  const files = ['cards', 'server', 'wait'];
  return Object.assign({}, ...files.map((name) => require(join(root, `__tests__/support/${name}.ts`))));
}

let kit;

/**
 * What benches and fault scenarios use of the test kit, which is TypeScript.
 * @returns the exports of its files, loaded at the first call: what they need may be installed only then
 */
export const testKit = () => (kit ??= load());
