/** A wrong setting. The server prints its message and does not start. */
export class SettingError extends Error {}

export type Env = Record<string, string | undefined>;

export const readVariable = (env: Env, name: string) => env[name]?.trim() || undefined;

/** Reads a list that is separated by commas. */
export const readList = (env: Env, name: string): string[] =>
  (readVariable(env, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function readWholeNumber(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = readVariable(env, name);
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

export function readOnOff(env: Env, name: string, fallback: boolean): boolean {
  const text = readVariable(env, name)?.toLowerCase();
  if (text === undefined) return fallback;
  if (text !== 'on' && text !== 'off') throw new SettingError(`${name} must be on or off, not "${text}".`);
  return text === 'on';
}

/**
 * Reads settings that are only useful together.
 * @returns their values, or undefined if none of them is set
 * @throws SettingError if only some of them are set
 */
export function readSettingGroup(env: Env, names: string[]): string[] | undefined {
  const values = names.map((name) => readVariable(env, name));
  const missing = names.filter((_, i) => values[i] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new SettingError(
      `${names.filter((name) => readVariable(env, name)).join(', ')} is set, so ${missing.join(', ')} must be set too.`,
    );
  return values as string[];
}
