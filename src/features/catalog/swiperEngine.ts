import Swiper from 'swiper';
import { Autoplay } from 'swiper/modules';

const EACH_MS = 6000;
const TURN_MS = 200;

export type Engine = {
  /** It turns only when it is told to. */
  still: boolean;
  play: (on: boolean) => void;
  next: () => void;
  previous: () => void;
  to: (index: number) => void;
  end: () => void;
};

/** Turns the finished strip of slides into a carousel, in place: nothing is drawn again. */
export function enliven(strip: HTMLElement, onTurn: (index: number) => void): Engine {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const swiper = new Swiper(strip, {
    modules: [Autoplay],
    speed: still ? 0 : TURN_MS,
    rewind: true,
    autoplay: still ? false : { delay: EACH_MS, disableOnInteraction: false },
    on: { activeIndexChange: ({ activeIndex }) => onTurn(activeIndex) },
  });
  return {
    still,
    play: (on) => void (on ? swiper.autoplay.start() : swiper.autoplay.stop()),
    next: () => swiper.slideNext(),
    previous: () => swiper.slidePrev(),
    to: (index) => swiper.slideTo(index),
    end: () => swiper.destroy(true, false),
  };
}
