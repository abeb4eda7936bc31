import { startTransition, useEffect, useState, type RefObject } from 'react';

/** How far from the viewport a part of a list is still rendered. */
const RENDERED_WITHIN = '10000px';

interface FarState {
  isFar: boolean;
  height?: number;
  groupHeights?: number[];
}

const heightOf = (element: Element) => element.getBoundingClientRect().height;
const measure = (part: Element) => ({ height: heightOf(part), groupHeights: [...part.children].map(heightOf) });

/**
 * Decides whether a part of a long list is far from the viewport. Its component then renders empty space of the same
 * height, so that a page of 10,000 rows has few elements. The part is never far while it has the focus or `mustRender`
 * is true.
 * @returns `isFar`, and the heights in pixels of the part and of its children when they were last rendered
 */
export function useFarFromViewport(element: RefObject<HTMLElement | null>, mustRender: boolean): FarState {
  const [state, setState] = useState<FarState>({ isFar: false });
  useEffect(() => {
    const part = element.current!;
    // After a busy moment, there can be several entries in one call. The last one is the current state.
    const update = (entries: IntersectionObserverEntry[]) => {
      const isFar = !entries.at(-1)!.isIntersecting && !part.contains(document.activeElement);
      const measured = isFar && part.hasChildNodes() ? measure(part) : {};
      startTransition(() => setState((before) => ({ ...before, ...measured, isFar })));
    };
    const observer = new IntersectionObserver(update, { rootMargin: RENDERED_WITHIN });
    observer.observe(part);
    return () => observer.disconnect();
  }, [element]);
  return { ...state, isFar: state.isFar && !mustRender };
}
