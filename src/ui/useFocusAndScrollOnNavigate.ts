import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

const PATIENCE_MS = 5000;

/** As the browser itself goes to an anchor: the next Tab, a reader and `:target` follow, which a mere push leaves behind. */
function goTo(hash: string) {
  const isThere = document.getElementById(decodeURIComponent(hash.slice(1))) !== null;
  if (isThere) location.replace(hash);
  return isThere;
}

/** A part may still be loading when its anchor is asked for. */
function goWhenThere(hash: string) {
  if (goTo(hash)) return;
  const watch = new MutationObserver(() => goTo(hash) && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => watch.disconnect(), PATIENCE_MS);
  return () => {
    watch.disconnect();
    clearTimeout(timer);
  };
}

/** A page change inside the app arrives as a page load does: at the top or the anchor, the reader at the start. */
export function useFocusAndScrollOnNavigate() {
  const { pathname, hash, key } = useLocation();
  const kind = useNavigationType();
  const before = useRef(pathname);

  useEffect(() => {
    const moved = before.current !== pathname;
    before.current = pathname;
    if (kind === 'POP') return;
    if (hash) return goWhenThere(hash);
    if (!moved) return;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, hash, key, kind]);
}
