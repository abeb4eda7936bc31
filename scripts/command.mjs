import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { installShop, root } from './install.mjs';

/** Installs and builds only where there are sources. A container image has none, because it is already built. */
if (existsSync(join(root, 'src'))) {
  await installShop();
  await buildIfStale();
}

/** Each command, such as `npm run admin -- add EMAIL`, calls the `main` of one file in the built server. */
const [name, ...args] = process.argv.slice(2);
const { main } = createRequire(import.meta.url)(join(root, `dist/server/cli/${name}.js`));
try {
  process.exitCode = await main(args, process.env);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
