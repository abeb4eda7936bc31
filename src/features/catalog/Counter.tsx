import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { withOneRetry } from '../../ui/deferredComponent';

type Props = { end: number; suffix: string };

const load = () => import(/* webpackChunkName: "counter" */ './AnimatedNumber');
const Final = ({ end, suffix }: Props) => <>{`${end}${suffix}`}</>;
const Counting = lazy(() => withOneRetry(load).catch(() => ({ default: Final })));

const standsStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The final text is there from the start; it counts up to it once, when it comes into sight, if it can. */
export function Counter(props: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  const final = <Final {...props} />;

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
          <Counting {...props} />
        </Suspense>
      ) : (
        final
      )}
    </span>
  );
}
