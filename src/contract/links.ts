import { MAX_LENGTH } from './limits';

const PLACEHOLDER_ORIGIN = 'https://here.invalid';
const BARE_DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d{1,5})?([/?#]|$)/u;
/**
 * URL parsers ignore tabs and line breaks, and treat a backslash as a slash. So `/\t/evil` would lead to another site.
 */
const UNSAFE = /[\s\\\p{C}]/u;

const parseUrl = (link: string) => (URL.canParse(link, PLACEHOLDER_ORIGIN) ? new URL(link, PLACEHOLDER_ORIGIN) : null);

function asPath(link: string): string | null {
  const url = link.startsWith('//') ? null : parseUrl(link);
  return url?.origin === PLACEHOLDER_ORIGIN && !url.pathname.startsWith('//') ? link : null;
}

function asHttps(link: string): string | null {
  const url = parseUrl(link);
  return url?.protocol === 'https:' && !url.username && !url.password ? link : null;
}

/**
 * @returns the link in the form in which it is stored, or null if it is too long, or neither an `https:` URL nor a path
 *   of this site
 */
export function safeHref(link: string): string | null {
  const text = link.trim();
  const completed = BARE_DOMAIN.test(text) ? `https://${text}` : text;
  if (completed.length > MAX_LENGTH.link || UNSAFE.test(completed)) return null;
  if (completed.startsWith('/')) return asPath(completed);
  return /^https:\/\//i.test(completed) ? asHttps(completed) : null;
}
