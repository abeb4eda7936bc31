import { startTransition, useEffect, useRef, useState, useDeferredValue } from 'react';
import { TOOLS_IN_HTML } from '../contract/limits';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * After a link to the top of a page, the content below the fold may render later. After Back, or with an anchor, the
 * scroll position needs the full height immediately.
 */
export function useCameByLink(): boolean {
  const { hash } = useLocation();
  return useNavigationType() !== 'POP' && !hash;
}

/** False in the first render after a link, so that the content above the fold appears first. */
export const useBelowFoldReady = () => useDeferredValue(true, !useCameByLink());

export interface ListOptions {
  /** The rows that are rendered without scrolling. */
  first?: number;
  /** Called at the end of all rows, while there are more to load. */
  loadMore?: (() => void) | undefined;
  /** A new value means a new list, of which only the first rows are rendered again. */
  list?: string | undefined;
}

/**
 * Renders a long list in groups of `size` rows: `first` rows immediately, or group by group after a link. It adds `first`
 * more whenever the end of the list comes near the viewport.
 */
export function useIncrementalList(total: number, size: number, options: ListOptions = {}) {
  const { first = TOOLS_IN_HTML, loadMore, list } = options;
  const start = useCameByLink() ? size : first;
  const [allowed, setAllowed] = useState(start);
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
    const grow = (by: number) => startTransition(() => setAllowed(shown + by));
    if (shown < first && shown < total) return grow(size);
    // A busy page gets several entries in one call. The last one is current.
    const growIfNear = (entries: IntersectionObserverEntry[]) =>
      entries.at(-1)!.isIntersecting && (shown < total ? grow(first) : loadMore?.());
    const observer = new IntersectionObserver(growIfNear, { rootMargin: '1500px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, total, size, first, hasMore, loadMore]);

  const groups = Array.from({ length: Math.ceil(shown / size) }, (_, i) => ({
    from: i * size,
    to: Math.min((i + 1) * size, shown),
  }));
  return { groups, sentinel: hasMore ? <div ref={end} aria-hidden="true" /> : null };
}
