import { createHash } from 'node:crypto';
import swc from '@swc/jest';

const { file, start, end, text } = JSON.parse(process.env.MUTANT ?? '{}');

const mutated = (source, filename) => (filename === file ? source.slice(0, start) + text + source.slice(end) : source);

/** The usual transform, with one mutant planted in one file: see scripts/mutate. */
export default {
  createTransformer(options) {
    const plain = swc.createTransformer(options);
    return {
      canInstrument: plain.canInstrument,
      getCacheKey: (source, filename, ...rest) =>
        filename === file
          ? createHash('sha1').update(mutated(source, filename)).update(filename).digest('hex')
          : plain.getCacheKey(source, filename, ...rest),
      process: (source, filename, ...rest) => plain.process(mutated(source, filename), filename, ...rest),
      processAsync: (source, filename, ...rest) => plain.processAsync(mutated(source, filename), filename, ...rest),
    };
  },
};
