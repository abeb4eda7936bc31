import { startTransition, useEffect, useRef, useState } from 'react';
import { TOOLS_IN_HTML } from '../contract/limits';

/** Draws a long list in steps, in groups of so many: the first hundred at once, a hundred more whenever the end comes near. */
export function useGrowing(total: number, size: number, step: number = TOOLS_IN_HTML) {
  const [allowed, setAllowed] = useState(step);
  const end = useRef<HTMLDivElement>(null);
  const shown = Math.min(allowed, total);

  useEffect(() => {
    if (!end.current || shown >= total) return;
    const grow = () => startTransition(() => setAllowed(shown + step));
    // Of a page that was busy, several are told at once: first that the end was far, then that it is near.
    const near = (entries: IntersectionObserverEntry[]) => entries.at(-1)!.isIntersecting && grow();
    const observer = new IntersectionObserver(near, { rootMargin: '1500px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, total, step]);

  const groups = Array.from({ length: Math.ceil(shown / size) }, (_, i) => ({
    from: i * size,
    to: Math.min((i + 1) * size, shown),
  }));
  return { groups, sentinel: shown < total ? <div ref={end} aria-hidden="true" /> : null };
}
