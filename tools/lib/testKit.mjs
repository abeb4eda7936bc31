import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTestTools, root } from '../../scripts/install.mjs';

const require = createRequire(import.meta.url);

function load() {
  require('ts-node').register({ project: join(root, 'tsconfig.json') });
  const files = ['cards', 'server', 'wait'];
  return Object.assign({}, ...files.map((name) => require(join(root, `__tests__/support/${name}.ts`))));
}

let kit;

/**
 * Loads the part of the TypeScript test kit that benchmarks and fault tests use. Loads it lazily on the first call,
 * because its packages may not be installed yet when this module is imported.
 * @returns the exports of its files
 */
export const loadTestKit = () => (kit ??= load());

/** Installs the test tools first, because the mail server is one of their packages. */
export async function loadMailServer() {
  await installTestTools();
  loadTestKit();
  return require(join(root, '__tests__/support/mailServer.ts'));
}
