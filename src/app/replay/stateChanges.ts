const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const MAX_SHOWN_CHARACTERS = 160;

const shorten = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
};

/** @returns a line for each difference, such as `auth.status: "resolving" → "signedOut"` */
export function listStateChanges(before: unknown, after: unknown, path = ''): string[] {
  if (before === after) return [];
  if (!isObject(before) || !isObject(after)) {
    const [from, to] = [shorten(before), shorten(after)];
    return from === to ? [] : [`${path}: ${from} → ${to}`];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => listStateChanges(before[key], after[key], path ? `${path}.${key}` : key));
}
