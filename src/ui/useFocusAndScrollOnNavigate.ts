import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { openToolIn } from '../contract/toolPath';
import { retryUntilRendered } from './retryUntilRendered';

/**
 * `location.replace` navigates natively, which also moves the focus to the anchor and sets `:target`. The router's
 * `pushState` does neither.
 */
function navigateToAnchor(hash: string) {
  const hasAnchor = document.getElementById(decodeURIComponent(hash.slice(1))) !== null;
  if (hasAnchor) location.replace(hash);
  return hasAnchor;
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
    if (hash) return retryUntilRendered(() => navigateToAnchor(hash));
    if (!hasPageChanged) return;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [page, hash, key, navigationType]);
}
