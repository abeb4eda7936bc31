import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's folder, whether this runs from the sources or from the built bundle. */
export function projectRoot(from = __dirname): string {
  return existsSync(join(from, 'webpack.config.ts')) ? from : projectRoot(dirname(from));
}
