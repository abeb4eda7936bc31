import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { transformSync } from '@swc/core';

const options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  swcrc: false,
};

/** Runs a TypeScript program in plain Node. Each source file is compiled when it is required. */
Module._extensions['.ts'] = (module, filename) =>
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
createRequire(import.meta.url)(process.argv[2]);
