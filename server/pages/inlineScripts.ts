import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../http/securityHeaders';
import { findProjectRoot } from '../projectRoot';

/**
 * Reads the scripts that are inline in every page, because they must run before the page is shown or clicked. The
 * content security policy allows them by their hashes.
 */
export function readInlineScripts() {
  const read = (name: string) => readFileSync(join(findProjectRoot(), 'public', `${name}.js`), 'utf8').trim();
  const [theme, start] = [read('theme'), read('start')];
  return { theme, start, hashes: [theme, start].map(hashOf) };
}
