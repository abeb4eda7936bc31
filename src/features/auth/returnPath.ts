import { AUTH_PATHS } from '../../ui/authPaths';

const HERE = 'https://here.invalid';
const HOME = '/';

/** A link pressed before its script was there carries no state: the browser then tells where one was. */
function cameFrom(): string | undefined {
  const { referrer } = document;
  if (!URL.canParse(referrer)) return undefined;
  const { origin, pathname, search } = new URL(referrer);
  return origin === window.location.origin ? pathname + search : undefined;
}

/** Where to go after login: a path of this site, whatever was put there; else home. */
export function returnPath(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from ?? cameFrom();
  if (typeof from !== 'string' || !from.startsWith('/') || !URL.canParse(from, HERE)) return HOME;
  const { origin, pathname, search, hash } = new URL(from, HERE);
  /** `/.//evil` comes out as `//evil`, which a browser takes for another site. */
  if (origin !== HERE || pathname.startsWith('//') || AUTH_PATHS.includes(pathname)) return HOME;
  return pathname + search + hash;
}
