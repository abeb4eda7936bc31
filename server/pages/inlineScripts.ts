import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../http/securityHeaders';
import { projectRoot } from '../projectRoot';

/** Reads the scripts that are small enough to be inline in every page. The page's policy allows them by hash. */
export function readInlineScripts() {
  const read = (name: string) => readFileSync(join(projectRoot(), 'public', `${name}.js`), 'utf8').trim();
  const [theme, start] = [read('theme'), read('start')];
  return { theme, start, hashes: [theme, start].map(hashOf) };
}
