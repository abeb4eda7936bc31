import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitWithMessage, root } from './install.mjs';

/** `npm run tool -- bench orders` runs `tools/bench/index.mjs` with the argument `orders`. */
const [name] = process.argv.splice(2, 1);
const tools = join(root, 'tools');
const programOf = (entry) => [`${entry}/index.mjs`, `${entry}.mjs`].find((file) => existsSync(join(tools, file)));
const names = readdirSync(tools)
  .map((entry) => entry.replace('.mjs', ''))
  .filter(programOf);
if (!names.includes(name)) exitWithMessage(`Usage: npm run tool -- NAME …\nNames: ${names.join(' ')}`, 2);
await import(pathToFileURL(join(tools, programOf(name))).href);
