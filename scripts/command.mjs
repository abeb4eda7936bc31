import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { installShop, root } from './install.mjs';

/** What is deployed comes without sources, installed and built. */
if (existsSync(join(root, 'src'))) {
  await installShop();
  await buildIfStale();
}

/** `npm run admin -- add EMAIL` and its like: each is one function of the built server. */
const [name, ...given] = process.argv.slice(2);
const { main } = createRequire(import.meta.url)(join(root, `dist/server/cli/${name}.js`));
try {
  process.exitCode = await main(given, process.env);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
