import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds the project's folder from the sources and from the built bundle alike. */
export function projectRoot(from = __dirname): string {
  return existsSync(join(from, 'webpack.config.ts')) ? from : projectRoot(dirname(from));
}
