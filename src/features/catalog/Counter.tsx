import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { withOneRetry } from '../../ui/deferredComponent';

type Props = { end: number; suffix: string };

const load = () => import(/* webpackChunkName: "counter" */ './AnimatedNumber');
const FinalNumber = ({ end, suffix }: Props) => <>{`${end}${suffix}`}</>;
const AnimatedNumber = lazy(() => withOneRetry(load).catch(() => ({ default: FinalNumber })));

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Shows the final number until it comes into view, and then counts from zero to that number. */
export function Counter(props: Props) {
  const element = useRef<HTMLSpanElement>(null);
  const [isVisible, setVisible] = useState(false);
  const final = <FinalNumber {...props} />;

  useEffect(() => {
    if (!element.current || prefersReducedMotion()) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setVisible(true);
      observer.disconnect();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);

  return (
    <span ref={element}>
      {isVisible ? (
        <Suspense fallback={final}>
          <AnimatedNumber {...props} />
        </Suspense>
      ) : (
        final
      )}
    </span>
  );
}
