import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import swc from '@swc/jest';

const { file, start, end, text, counted } = JSON.parse(process.env.MUTANT ?? '{}');

/** The source with one mutant in it, or with a counter at each place that a mutant can be. */
function changed(source, filename, { rootDir }) {
  if (filename === file) return source.slice(0, start) + text + source.slice(end);
  const copy = counted && join(counted, relative(rootDir, filename));
  return copy && existsSync(copy) ? readFileSync(copy, 'utf8') : source;
}

/** The usual transform, applied to the source as scripts/mutate changed it. */
export default {
  createTransformer(options) {
    const plain = swc.createTransformer(options);
    return {
      canInstrument: plain.canInstrument,
      getCacheKey: (source, filename, request) =>
        createHash('sha1')
          .update(plain.getCacheKey(source, filename, request))
          .update(changed(source, filename, request.config))
          .digest('hex'),
      process: (source, filename, request) =>
        plain.process(changed(source, filename, request.config), filename, request),
      processAsync: (source, filename, request) =>
        plain.processAsync(changed(source, filename, request.config), filename, request),
    };
  },
};
