import Swiper from 'swiper';

const SLIDE_SHOWN_MS = 6000;
const TRANSITION_MS = 200;

export type CarouselEngine = {
  /** Whether the visitor's system asks for less motion. Then slides change only when the visitor changes them. */
  prefersReducedMotion: boolean;
  setPlaying: (playing: boolean) => void;
  next: () => void;
  previous: () => void;
  goTo: (index: number) => void;
  destroy: () => void;
};

/**
 * Turns the strip of slides, which is already rendered, into a carousel. A timer changes the slides, because Swiper's
 * autoplay requests every animation frame just to count the time until the next slide.
 */
export function startCarousel(strip: HTMLElement, onSlideChange: (index: number) => void): CarouselEngine {
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let playing = false;
  let timer: number | undefined;
  const stopTimer = () => window.clearTimeout(timer);
  const restartTimer = () => {
    stopTimer();
    if (playing)
      timer = window.setTimeout(() => (document.hidden ? restartTimer() : swiper.slideNext()), SLIDE_SHOWN_MS);
  };
  const handleChange = ({ activeIndex }: Swiper) => {
    onSlideChange(activeIndex);
    restartTimer();
  };
  const swiper = new Swiper(strip, {
    speed: prefersReducedMotion ? 0 : TRANSITION_MS,
    rewind: true,
    on: { activeIndexChange: handleChange, touchStart: stopTimer, touchEnd: restartTimer },
  });
  return {
    prefersReducedMotion,
    setPlaying: (next) => {
      playing = next;
      restartTimer();
    },
    next: () => swiper.slideNext(),
    previous: () => swiper.slidePrev(),
    goTo: (index) => swiper.slideTo(index),
    destroy: () => {
      stopTimer();
      swiper.destroy(true, false);
    },
  };
}
