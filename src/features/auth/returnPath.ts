import { AUTH_PATHS } from '../../ui/authPaths';

const PLACEHOLDER_ORIGIN = 'https://here.invalid';
export const HOME_PATH = '/';

/** A link that was clicked before hydration leaves no router state. Then only the referrer shows the page it was on. */
function referrerPath(): string | undefined {
  const { referrer } = document;
  if (!URL.canParse(referrer)) return undefined;
  const { origin, pathname, search } = new URL(referrer);
  return origin === window.location.origin ? pathname + search : undefined;
}

/** @returns the path to open after login. It is always on this site. By default, it is the home page. */
export function readReturnPath(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from ?? referrerPath();
  if (typeof from !== 'string' || !from.startsWith('/') || !URL.canParse(from, PLACEHOLDER_ORIGIN)) return HOME_PATH;
  const { origin, pathname, search, hash } = new URL(from, PLACEHOLDER_ORIGIN);
  // The URL parser turns `/.//evil` into `//evil`, which a browser would open as another site.
  if (origin !== PLACEHOLDER_ORIGIN || pathname.startsWith('//') || AUTH_PATHS.includes(pathname)) return HOME_PATH;
  return pathname + search + hash;
}

/** @returns the path to open after sign-up: the page that required a login, or else the home page */
export const readPathAfterSignup = (state: unknown): string =>
  (state as { needs?: unknown } | null)?.needs ? readReturnPath(state) : HOME_PATH;
