import type { App } from './fastify';
import { invalid } from './problems';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the fields with a lone surrogate. Uses a loop, because recursion fails on 16,000 nested arrays (32 KiB). */
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

/** Refuses lone surrogates, because the database would store them as another character. */
export function registerTextValidation(app: App): void {
  app.addHook('preValidation', ({ body }, _reply, done) => {
    if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return done();
    const fields = findIllFormedFields(body);
    const message = "contains characters that can't be stored.";
    done(fields.length > 0 ? invalid(fields.map((field) => ({ field, message }))) : undefined);
  });
}
