import { useEffect, useRef, useState } from 'react';
import type { Engine } from './swiperEngine';

const load = () => import(/* webpackChunkName: "swiper" */ './swiperEngine');

/** After the page is whole, so that the engine never delays the first picture. */
function afterLoad(start: () => void) {
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start, { once: true });
  return () => window.removeEventListener('load', start);
}

export function useCarousel() {
  const strip = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<Engine | null>(null);
  const [active, setActive] = useState(0);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    let made: Engine | undefined;
    let gone = false;
    const begin = ({ enliven }: Awaited<ReturnType<typeof load>>) => {
      if (!gone && strip.current) setEngine((made = enliven(strip.current, setActive)));
    };
    // Without its engine the carousel is a finished first slide.
    const cancel = afterLoad(() => void load().then(begin, () => undefined));
    return () => {
      gone = true;
      cancel();
      made?.end();
    };
  }, []);

  const playing = engine !== null && !engine.still && !paused && !hovered && !focused;
  useEffect(() => {
    engine?.play(playing);
  }, [engine, playing]);

  return { strip, engine, active, paused, playing, setPaused, setHovered, setFocused };
}
