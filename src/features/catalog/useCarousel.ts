import { useEffect, useRef, useState } from 'react';
import type { CarouselEngine } from './swiperEngine';

const load = () => import(/* webpackChunkName: "swiper" */ './swiperEngine');

/** Waits until the page is loaded, so that the carousel's chunk does not delay the first picture. */
function runAfterLoad(start: () => void) {
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
  return () => window.removeEventListener('load', start);
}

export function useCarousel() {
  const strip = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<CarouselEngine | null>(null);
  const [active, setActive] = useState(0);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    let created: CarouselEngine | undefined;
    let isUnmounted = false;
    const onEngineLoaded = ({ startCarousel }: Awaited<ReturnType<typeof load>>) => {
      if (!isUnmounted && strip.current) setEngine((created = startCarousel(strip.current, setActive)));
    };
    // If the engine does not load, the carousel only shows its first slide.
    const cancel = runAfterLoad(() => void load().then(onEngineLoaded, () => undefined));
    return () => {
      isUnmounted = true;
      cancel();
      created?.destroy();
    };
  }, []);

  const playing = engine !== null && !engine.prefersReducedMotion && !paused && !hovered && !focused;
  useEffect(() => {
    engine?.setPlaying(playing);
  }, [engine, playing]);

  return { strip, engine, active, paused, playing, setPaused, setHovered, setFocused };
}
