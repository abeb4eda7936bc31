import { startTransition, useEffect, useRef, useState, useDeferredValue } from 'react';
import { TOOLS_IN_HTML } from '../contract/limits';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * Whether this page was come to by a link, to its top: then what is below may be drawn a moment later. Who comes back,
 * or wants an anchor, has to find the whole.
 */
export function useCameByLink(): boolean {
  const { hash } = useLocation();
  return useNavigationType() !== 'POP' && !hash;
}

/** Whether the page is drawn to its end by now. After a link what one sees first comes first, the rest a moment later. */
export const useBelowFoldReady = () => useDeferredValue(true, !useCameByLink());

/** Draws a long list in groups: the `first` hundred at once, or group by group after a link; as many more whenever the end comes near. */
export function useIncrementalList(total: number, size: number, first: number = TOOLS_IN_HTML) {
  const [allowed, setAllowed] = useState(useCameByLink() ? size : first);
  const end = useRef<HTMLDivElement>(null);
  const shown = Math.min(allowed, total);

  useEffect(() => {
    if (!end.current || shown >= total) return;
    const grow = (by: number) => startTransition(() => setAllowed(shown + by));
    if (shown < first) return grow(size);
    // Of a page that was busy, several are told at once: first that the end was far, then that it is near.
    const near = (entries: IntersectionObserverEntry[]) => entries.at(-1)!.isIntersecting && grow(first);
    const observer = new IntersectionObserver(near, { rootMargin: '1500px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, total, size, first]);

  const groups = Array.from({ length: Math.ceil(shown / size) }, (_, i) => ({
    from: i * size,
    to: Math.min((i + 1) * size, shown),
  }));
  return { groups, sentinel: shown < total ? <div ref={end} aria-hidden="true" /> : null };
}
