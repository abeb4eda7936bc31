import Swiper from 'swiper';

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

/**
 * Turns the finished strip of slides into a carousel, in place: nothing is drawn again. It has a clock of its own: the
 * library's asks for every frame, all the time, to count what is left of a slide.
 */
export function enliven(strip: HTMLElement, onTurn: (index: number) => void): Engine {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let playing = false;
  let timer: number | undefined;
  const stop = () => window.clearTimeout(timer);
  const turnLater = () => {
    stop();
    if (playing) timer = window.setTimeout(() => (document.hidden ? turnLater() : swiper.slideNext()), EACH_MS);
  };
  const turned = ({ activeIndex }: Swiper) => {
    onTurn(activeIndex);
    turnLater();
  };
  const swiper = new Swiper(strip, {
    speed: still ? 0 : TURN_MS,
    rewind: true,
    on: { activeIndexChange: turned, touchStart: stop, touchEnd: turnLater },
  });
  return {
    still,
    play: (on) => {
      playing = on;
      turnLater();
    },
    next: () => swiper.slideNext(),
    previous: () => swiper.slidePrev(),
    to: (index) => swiper.slideTo(index),
    end: () => {
      stop();
      swiper.destroy(true, false);
    },
  };
}
