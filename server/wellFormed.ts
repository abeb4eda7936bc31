import type { App } from './typed';
import { invalid } from './errors';

function* illFormed(value: unknown, field: string): Generator<string> {
  if (typeof value === 'string' && !value.isWellFormed()) yield field;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* illFormed(inner, field || key);
}

/** Half a character cannot be kept: the database would turn it into another. */
export function useWellFormedText(app: App): void {
  app.addHook('preValidation', ({ body }, _reply, done) => {
    if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return done();
    const fields = [...new Set(illFormed(body, ''))];
    const message = 'has characters that cannot be kept.';
    done(fields.length > 0 ? invalid(fields.map((field) => ({ field, message }))) : undefined);
  });
}
