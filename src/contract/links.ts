import { MAX_LENGTH } from './limits';

const PLACEHOLDER_ORIGIN = 'https://here.invalid';
const BARE_DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d{1,5})?([/?#]|$)/u;
/** URL parsers drop tabs and line breaks and read a backslash as a slash, so `/\t/evil` would leave the site. */
const UNSAFE = /[\s\\\p{C}]/u;

const parsed = (link: string) => (URL.canParse(link, PLACEHOLDER_ORIGIN) ? new URL(link, PLACEHOLDER_ORIGIN) : null);

function asPath(link: string): string | null {
  const url = link.startsWith('//') ? null : parsed(link);
  return url?.origin === PLACEHOLDER_ORIGIN && !url.pathname.startsWith('//') ? link : null;
}

function asHttps(link: string): string | null {
  const url = parsed(link);
  return url?.protocol === 'https:' && !url.username && !url.password ? link : null;
}

/** @returns the link if it is `https:` or a path of this site, and may be shown as a link or a picture */
export function safeHref(link: string): string | null {
  const text = link.trim();
  const completed = BARE_DOMAIN.test(text) ? `https://${text}` : text;
  if (completed.length > MAX_LENGTH.link || UNSAFE.test(completed)) return null;
  if (completed.startsWith('/')) return asPath(completed);
  return /^https:\/\//i.test(completed) ? asHttps(completed) : null;
}
