import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Works from the sources and from the built bundle, which have different depths in the project's folder. */
export function findProjectRoot(from = __dirname): string {
  return existsSync(join(from, 'webpack.config.ts')) ? from : findProjectRoot(dirname(from));
}
