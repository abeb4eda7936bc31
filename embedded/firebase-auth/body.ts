import { fail } from './identityErrors';
import type { Body, Service } from './service';

export type { Body };

export function asBody(value: unknown): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('INVALID_ARGUMENT');
  return value as Body;
}

export function textOf(body: Body, field: string): string | undefined {
  const value = body[field] ?? undefined;
  if (value !== undefined && typeof value !== 'string') fail(`INVALID_ARGUMENT : ${field} must be a string`);
  return value;
}

/** Text that is kept and goes into tokens: short, and nothing that a database or a header cannot hold. */
export function storedText(body: Body, field: string, max: number): string | null | undefined {
  const value = textOf(body, field);
  if (value === undefined) return undefined;
  if (value.length > max || /[\p{Cc}\p{Cs}]/u.test(value)) fail(`INVALID_ARGUMENT : ${field} is not valid`);
  return value.trim() || null;
}

export function emailIn({ normalizeEmail }: Service, body: Body, field = 'email', message = 'INVALID_EMAIL'): string {
  return normalizeEmail(textOf(body, field) ?? '') ?? fail(message);
}

export const MAX_DISPLAY_NAME = 256;
export const MAX_PHOTO_URL = 2048;
