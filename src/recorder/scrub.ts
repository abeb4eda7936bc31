import { ERROR_TITLES, type ErrorCode } from '../contract/errorCodes';
import { isPathWord, isSafeValue, REQUEST_ID, SAFE_KEYS } from './safeWords';
import { createPlaceholders } from './placeholders';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Only this many rows of a list are recorded. A replay can still reproduce the states, because reducers never combine
 * two lists.
 */
const ROWS_KEPT = 30;
/** Only this many pages of an infinite query are recorded, because the payload of each new page repeats all others. */
const PAGES_KEPT = 2;
/** Larger numbers are replaced, because they may be personal, such as a phone number. Times are kept. */
const MAX_NUMBER = 100_000_000;
const TIME_KEYS = new Set(['startedTimeStamp', 'fulfilledTimeStamp', 'timestamp']);
const CACHE_KEY = /^(\w{1,40})\(([\s\S]*)\)$/;

const isRow = (value: unknown) => typeof value === 'object' && value !== null && ('_id' in value || 'email' in value);
function keptLength(list: unknown[], key: string): number {
  if (key === 'pages' || key === 'pageParams') return PAGES_KEPT;
  return isRow(list[0]) ? ROWS_KEPT : Infinity;
}
const isPlain = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Replaces large numbers and all texts that may be personal. Equal values get equal replacements. Therefore a replay of
 * the scrubbed actions produces the scrubbed states.
 */
export function createScrubber(endpoints: string[]) {
  const { placeholder, containsReplaced } = createPlaceholders();
  let hasCutList = false;
  const endpointNames = new Set(endpoints);
  const scrubbed = new WeakMap<WeakKey, Json>();

  /**
   * Replaces the argument in a cache key of RTK Query, such as `getProfile("ann@example.com")`.
   * @returns undefined if the text is not a cache key
   */
  function scrubCacheKey(text: string): string | undefined {
    const [, name = '', argument = ''] = CACHE_KEY.exec(text) ?? [];
    if (!endpointNames.has(name)) return undefined;
    const parsed = parseJson(argument);
    if (parsed) return `${name}(${JSON.stringify(scrub(parsed.value))})`;
    return argument === 'undefined' ? text : undefined;
  }

  const scrubText = (text: string, key: string) =>
    isSafeValue(text, key) || (key === 'endpointName' && endpointNames.has(text))
      ? text
      : (scrubCacheKey(text) ?? placeholder(text, key));

  const scrubKey = (key: string) => (SAFE_KEYS.has(key) ? key : (scrubCacheKey(key) ?? placeholder(key)));

  function scrubPlain(value: Record<string, unknown>): Json {
    const result: Record<string, Json> = {};
    for (const [key, field] of Object.entries(value)) {
      if (field === undefined || typeof field === 'function') continue;
      const title = key === 'detail' && ERROR_TITLES[value['code'] as ErrorCode];
      result[scrubKey(key)] = title || scrub(field, key);
    }
    return result;
  }

  function scrubList(list: unknown[], key: string): Json[] {
    const kept = keptLength(list, key);
    if (list.length > kept) hasCutList = true;
    return list.slice(0, kept).map((item) => scrub(item, key));
  }

  function scrubObject(value: object, key: string): Json {
    if (Array.isArray(value)) return scrubList(value, key);
    if (isPlain(value)) return scrubPlain(value as Record<string, unknown>);
    if (!(value instanceof Response)) return {};
    const code = value.headers.get('x-request-id') ?? '';
    return { status: value.status, ...(REQUEST_ID.test(code) && { code }) };
  }

  function scrub(value: unknown, key = ''): Json {
    if (typeof value === 'string') return scrubText(value, key);
    if (typeof value === 'number')
      return Math.abs(value) < MAX_NUMBER || TIME_KEYS.has(key) ? value : Math.sign(value) * MAX_NUMBER;
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'object' || value === null) return null;
    let result = scrubbed.get(value);
    if (result === undefined) scrubbed.set(value, (result = scrubObject(value, key)));
    return result;
  }

  /** Keeps the words of the shop's own paths. Ids and search texts are replaced. */
  function scrubPath(path: string): string {
    const [pathname = '', search] = path.split('?');
    const parts = pathname.split('/').map((part) => (isPathWord(part) ? part : placeholder(decodePart(part))));
    const fields = [...new URLSearchParams(search)].map(([key, value]) => [scrubKey(key), scrubText(value, key)]);
    const query = new URLSearchParams(fields).toString();
    return parts.join('/') + (query && `?${query}`);
  }
  /**
   * @returns whether a replay may show a different text, because this one contains something that was replaced, or a
   * number that may count the rows of a list that was cut
   */
  const mayDiffer = (text: string): boolean => containsReplaced(text) || (hasCutList && /\d/.test(text));
  return { scrub, scrubPath, mayDiffer };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
