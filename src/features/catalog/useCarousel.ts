import { useEffect, useRef, useState } from 'react';
import type Swiper from 'swiper';

const SLIDE_SHOWN_MS = 6000;
const TRANSITION_MS = 200;

/** Waits until the page is loaded, so that Swiper's chunk does not delay the first picture. */
function runAfterLoad(start: () => void) {
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
  return () => window.removeEventListener('load', start);
}

/** Slides of people who prefer less motion change only when they change them, and without a transition. */
const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Lets Swiper move the strip of slides, which is already rendered. If Swiper does not load, the carousel only shows its
 * first slide.
 */
function useSwiper() {
  const strip = useRef<HTMLDivElement>(null);
  const [swiper, setSwiper] = useState<Swiper | null>(null);
  const [active, setActive] = useState(0);
  const [touched, setTouched] = useState(false);

  useEffect(() => {
    let created: Swiper | undefined;
    let isUnmounted = false;
    const start = ({ default: Engine }: { default: typeof Swiper }) => {
      if (isUnmounted || !strip.current) return;
      created = new Engine(strip.current, {
        speed: prefersReducedMotion() ? 0 : TRANSITION_MS,
        rewind: true,
        on: {
          activeIndexChange: ({ activeIndex }) => setActive(activeIndex),
          touchStart: () => setTouched(true),
          touchEnd: () => setTouched(false),
        },
      });
      setSwiper(created);
      setActive(0);
    };
    const load = () => import(/* webpackChunkName: "swiper" */ 'swiper').then(start, () => undefined);
    const cancel = runAfterLoad(() => void load());
    return () => {
      isUnmounted = true;
      cancel();
      created?.destroy(true, false);
    };
  }, []);
  return { strip, swiper, active, touched };
}

export function useCarousel() {
  const { strip, swiper, active, touched } = useSwiper();
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  const playing = swiper !== null && !paused && !hovered && !focused && !prefersReducedMotion();
  const isTimerRunning = playing && !touched;
  // Swiper's autoplay requests every animation frame just to count the time until the next slide, also while it pauses.
  useEffect(() => {
    if (!isTimerRunning) return;
    const timer = setInterval(() => document.hidden || swiper!.slideNext(), SLIDE_SHOWN_MS);
    return () => clearInterval(timer);
  }, [swiper, isTimerRunning, active]);

  return { strip, swiper, active, paused, playing, setPaused, setHovered, setFocused };
}
