import type { App } from './fastify';
import { invalid } from './problems';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The fields with a lone surrogate somewhere in them. A loop, because 32 KiB can nest 16,000 lists. */
function illFormed(body: object): string[] {
  const found = new Set<string>();
  const all: [string, unknown][] = Object.entries(body);
  for (const [field, value] of all) {
    if (typeof value === 'string' && !value.isWellFormed()) found.add(field);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) all.push([field, inner]);
  }
  return [...found];
}

/** Refuses lone surrogates, which the database would store as another character. */
export function registerTextValidation(app: App): void {
  app.addHook('preValidation', ({ body }, _reply, done) => {
    if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return done();
    const fields = illFormed(body);
    const message = 'has characters that cannot be kept.';
    done(fields.length > 0 ? invalid(fields.map((field) => ({ field, message }))) : undefined);
  });
}
