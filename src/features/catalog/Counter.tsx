import { lazy, Suspense, useEffect, useRef, useState } from 'react';

const Counting = lazy(() => import(/* webpackChunkName: "counter" */ './Counting'));

const standsStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The final text is there from the start; it counts up to it once, when it comes into sight. */
export function Counter({ end, suffix }: { end: number; suffix: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  const final = `${end}${suffix}`;

  useEffect(() => {
    if (!place.current || standsStill()) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  return (
    <span ref={place}>
      {seen ? (
        <Suspense fallback={final}>
          <Counting end={end} suffix={suffix} />
        </Suspense>
      ) : (
        final
      )}
    </span>
  );
}
