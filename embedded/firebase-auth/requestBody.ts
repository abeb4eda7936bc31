import { throwIdentityError } from './identityErrors';
import type { Body, IdentityService } from './service';

export type { Body };

export function requireObjectBody(value: unknown): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throwIdentityError('INVALID_ARGUMENT');
  return value as Body;
}

export function readText(body: Body, field: string): string | undefined {
  const value = body[field] ?? undefined;
  if (value !== undefined && typeof value !== 'string')
    throwIdentityError(`INVALID_ARGUMENT : ${field} must be a string`);
  return value;
}

/**
 * Refuses control characters, because PostgreSQL cannot store NUL, and lone surrogates, which UTF-8 cannot encode.
 * @returns null for blank text, undefined if the field is missing
 */
export function readStorableText(body: Body, field: string, max: number): string | null | undefined {
  const value = readText(body, field);
  if (value === undefined) return undefined;
  if (value.length > max || /[\p{Cc}\p{Cs}]/u.test(value))
    throwIdentityError(`INVALID_ARGUMENT : ${field} is not valid`);
  return value.trim() || null;
}

export const readEmail = ({ normalizeEmail }: IdentityService, body: Body): string =>
  normalizeEmail(readText(body, 'email') ?? '') ?? throwIdentityError('INVALID_EMAIL');

export const MAX_DISPLAY_NAME = 256;
