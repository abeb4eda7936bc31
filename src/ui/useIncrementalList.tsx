import { startTransition, useEffect, useRef, useState } from 'react';
import { TOOLS_IN_HTML } from '../contract/limits';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * @returns whether the visitor came by a link from another page of the shop. Then content below the first screen can be
 *   rendered later. After a page load or Back, or with an anchor, the page needs its full height at once, because the
 *   scroll position depends on it.
 */
export function useCameByLink(): boolean {
  const { hash } = useLocation();
  return useNavigationType() !== 'POP' && !hash;
}

/**
 * Does not use `useDeferredValue`, which makes React 19.3 render without a pause while the page's chunk is loading.
 * @returns false in the first render after following a link, so that the first screen appears sooner. Otherwise true.
 */
export function useBelowFoldReady(): boolean {
  const cameByLink = useCameByLink();
  const [isReady, setReady] = useState(!cameByLink);
  useEffect(() => startTransition(() => setReady(true)), []);
  return isReady;
}

export interface ListOptions {
  /** How many rows are rendered before the user scrolls. */
  first?: number;
  /** How many rows are added each time the user comes near their end. As many as `first` by default. */
  step?: number;
  /** Called when the end of all rows comes near the viewport. Undefined if no more rows can be loaded. */
  loadMore?: (() => void) | undefined;
  /** Identifies the list. When it changes, the new list begins with only its first rows rendered. */
  list?: string | undefined;
}

/**
 * Decides which rows of a long list are rendered, in groups of `size` rows. The first rows are rendered at once, or
 * group by group if the visitor followed a link. More rows follow when the end of the rendered ones comes near the
 * viewport.
 */
export function useIncrementalList(total: number, size: number, options: ListOptions = {}) {
  const { first = TOOLS_IN_HTML, step = first, loadMore, list } = options;
  const start = useCameByLink() ? size : first;
  // At most the rows that exist now, so that rows that are loaded later are rendered in a transition too.
  const [allowed, setAllowed] = useState(() => Math.min(start, Math.max(total, size)));
  const [shownList, setShownList] = useState(list);
  if (shownList !== list) {
    setShownList(list);
    setAllowed(start);
  }
  const end = useRef<HTMLDivElement>(null);
  const shown = Math.min(allowed, total);
  const hasMore = shown < total || loadMore !== undefined;

  useEffect(() => {
    if (!end.current || !hasMore) return;
    const grow = (by: number) => startTransition(() => setAllowed(Math.min(shown + by, total)));
    if (shown < first && shown < total) return grow(size);
    // After a busy moment, there can be several entries in one call. The last one is the current state.
    const growIfNear = (entries: IntersectionObserverEntry[]) =>
      entries.at(-1)!.isIntersecting && (shown < total ? grow(step) : loadMore?.());
    const observer = new IntersectionObserver(growIfNear, { rootMargin: '1500px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, total, size, first, step, hasMore, loadMore]);

  const groups = Array.from({ length: Math.ceil(shown / size) }, (_, i) => ({
    from: i * size,
    to: Math.min((i + 1) * size, shown),
  }));
  return { groups, sentinel: hasMore ? <div ref={end} aria-hidden="true" /> : null };
}
