import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findProjectRoot } from '../../server/projectRoot';
import { inRealTime, trackWork } from './simulatedRuntime';

const load = createRequire(__filename);
type Compile = (route: { schema: unknown; httpPart?: string }) => unknown;
type Factory = () => (schemas: unknown, options: unknown) => Compile;

function memoize(path: string) {
  const fastify = createRequire(load.resolve('fastify'));
  const factory = fastify(path) as Factory;
  const compiled = new Map<string, unknown>();
  const cachingFactory: Factory = () => {
    const create = factory();
    return (schemas, options) => {
      const compile = create(schemas, options);
      return (route) => {
        const key = JSON.stringify([schemas, options, route.schema, route.httpPart]);
        if (!compiled.has(key)) compiled.set(key, compile(route));
        return compiled.get(key);
      };
    };
  };
  load.cache[fastify.resolve(path)]!.exports = Object.assign(cachingFactory, factory);
}

/**
 * Makes all copies of the server share compiled route schemas and rendered pages, which depend only on their input.
 * Otherwise compiling and rendering would take most of the time that a copy needs to start.
 */
export function compileOnce() {
  memoize('@fastify/ajv-compiler');
  memoize('@fastify/fast-json-stringify-compiler');
  const renderer = load(join(findProjectRoot(), 'dist/renderer/index.js')) as {
    render: (...parameters: unknown[]) => Promise<unknown>;
  };
  const { render } = renderer;
  const pages = new Map<string, unknown>();
  const renderOnce = (...parameters: unknown[]) => {
    const key = JSON.stringify(parameters);
    if (!pages.has(key)) pages.set(key, trackWork(inRealTime.run(true, () => render(...parameters))));
    return pages.get(key);
  };
  load.cache[load.resolve(join(findProjectRoot(), 'dist/renderer/index.js'))]!.exports = {
    ...renderer,
    render: renderOnce,
  };
}
