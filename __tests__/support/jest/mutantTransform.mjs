import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import swc from '@swc/jest';

const { file, start, end, text, counted: instrumentedFolder } = JSON.parse(process.env.MUTANT ?? '{}');

/** @returns the source, with the mutant if it is in this file, or with a counter at each place where a mutant can be */
function mutate(source, filename, { rootDir }) {
  if (filename === file) return source.slice(0, start) + text + source.slice(end);
  const instrumentedFile = instrumentedFolder && join(instrumentedFolder, relative(rootDir, filename));
  return instrumentedFile && existsSync(instrumentedFile) ? readFileSync(instrumentedFile, 'utf8') : source;
}

/** The usual transformer, applied to the mutated source. `scripts/mutate` describes the mutant in `MUTANT`. */
export default {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    return {
      canInstrument: transformer.canInstrument,
      getCacheKey: (source, filename, request) =>
        createHash('sha1')
          .update(transformer.getCacheKey(source, filename, request))
          .update(mutate(source, filename, request.config))
          .digest('hex'),
      process: (source, filename, request) =>
        transformer.process(mutate(source, filename, request.config), filename, request),
      processAsync: (source, filename, request) =>
        transformer.processAsync(mutate(source, filename, request.config), filename, request),
    };
  },
};
