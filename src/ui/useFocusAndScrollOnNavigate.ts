import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { openToolIn } from '../contract/toolPath';

const ANCHOR_TIMEOUT_MS = 5000;

/**
 * `location.replace` navigates natively, which also moves the focus to the anchor and sets `:target`. The router's
 * `pushState` does neither.
 */
function navigateToAnchor(hash: string) {
  const hasAnchor = document.getElementById(decodeURIComponent(hash.slice(1))) !== null;
  if (hasAnchor) location.replace(hash);
  return hasAnchor;
}

/** Waits until the anchor's element is in the page, because it may be in a chunk that is still loading. */
function navigateWhenRendered(hash: string) {
  if (navigateToAnchor(hash)) return;
  const observer = new MutationObserver(() => navigateToAnchor(hash) && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), ANCHOR_TIMEOUT_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

/**
 * Makes a client-side navigation behave like a page load: scrolls to the top or to the anchor, and focuses the content.
 */
export function useFocusAndScrollOnNavigate() {
  const { pathname, search, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const page = `${pathname} ${openToolIn(search)}`;
  const previousPage = useRef(page);

  useLayoutEffect(() => {
    const hasPageChanged = previousPage.current !== page;
    previousPage.current = page;
    if (navigationType === 'POP') return;
    if (hash) return navigateWhenRendered(hash);
    if (!hasPageChanged) return;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [page, hash, key, navigationType]);
}
