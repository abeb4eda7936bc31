import type { App } from './fastify';
import { invalidFields } from './problems';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Searches nested values with a loop. A recursion would overflow the stack on 16,000 nested arrays, which fit into 32
 * KiB.
 * @returns the names of the top-level fields that contain a lone surrogate
 */
function findIllFormedFields(body: object): string[] {
  const found = new Set<string>();
  const queue: [string, unknown][] = Object.entries(body);
  for (const [field, value] of queue) {
    if (typeof value === 'string' && !value.isWellFormed()) found.add(field);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) queue.push([field, inner]);
  }
  return [...found];
}

/** Refuses lone surrogates. UTF-8 cannot encode them, so the database would store another character instead. */
export function registerTextValidation(app: App): void {
  app.addHook('preValidation', ({ body }, _reply, done) => {
    if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return done();
    const fields = findIllFormedFields(body);
    const message = "contains characters that can't be stored.";
    done(fields.length > 0 ? invalidFields(fields.map((field) => ({ field, message }))) : undefined);
  });
}
