import type { FocusEvent } from 'react';
import { CarouselControls } from './CarouselControls';
import { SlideRow, Strip } from './carouselStyle';
import { CarouselSlide } from './CarouselSlide';
import { Band } from './sectionStyle';
import { slides } from './slides';
import { useCarousel } from './useCarousel';

const isLeavingCarousel = (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget);

export default function Carousel() {
  const { strip, swiper, active, paused, playing, setPaused, setHovered, setFocused } = useCarousel();
  return (
    <Band
      aria-roledescription="carousel"
      aria-label="What Forgeline offers"
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event) => isLeavingCarousel(event) && setFocused(false)}
    >
      <Strip ref={strip}>
        <SlideRow aria-live={playing ? 'off' : 'polite'}>
          {slides.map((slide, index) => (
            <CarouselSlide
              key={slide.id}
              slide={slide}
              position={`${index + 1} of ${slides.length}`}
              isFirst={index === 0}
              isShown={index === active}
              isReady={swiper !== null}
            />
          ))}
        </SlideRow>
      </Strip>
      <CarouselControls swiper={swiper} active={active} paused={paused} onPause={setPaused} />
    </Band>
  );
}
