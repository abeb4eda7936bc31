import { TEXT } from './limits';

const HERE = 'https://here.invalid';
const BARE_DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d{1,5})?([/?#]|$)/u;
/** Parsers drop tabs and line breaks and read a backslash as a slash, so `/\t/evil` would leave the site. */
const TREACHEROUS = /[\s\\\p{C}]/u;

const parsed = (link: string) => (URL.canParse(link, HERE) ? new URL(link, HERE) : null);

function asPath(link: string): string | null {
  const url = link.startsWith('//') ? null : parsed(link);
  return url?.origin === HERE && !url.pathname.startsWith('//') ? link : null;
}

function asHttps(link: string): string | null {
  const url = parsed(link);
  return url?.protocol === 'https:' && !url.username && !url.password ? link : null;
}

/** What may be shown as a link or a picture: `https:` or a path of this site; else null. */
export function safeHref(link: string): string | null {
  const text = link.trim();
  const whole = BARE_DOMAIN.test(text) ? `https://${text}` : text;
  if (whole.length > TEXT.link || TREACHEROUS.test(whole)) return null;
  if (whole.startsWith('/')) return asPath(whole);
  return /^https:\/\//i.test(whole) ? asHttps(whole) : null;
}
