import type { KeyboardEvent } from 'react';
import type Swiper from 'swiper';
import { ControlButton, Controls, SlideMarker, PauseButton } from './carouselStyle';
import { slides } from './slides';

function Glyph({ path }: { path: string }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

const LEFT = 'M15.5 4.5 17 6l-6 6 6 6-1.5 1.5L8 12z';
const RIGHT = 'M8.5 4.5 7 6l6 6-6 6 1.5 1.5L16 12z';
const PAUSE = 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z';
const PLAY = 'M8 5v14l11-7z';

type Props = { swiper: Swiper | null; active: number; paused: boolean; onPause: (paused: boolean) => void };

export function CarouselControls({ swiper, active, paused, onPause }: Props) {
  // The arrow keys work only while one of the controls has the focus. Otherwise they could hide the link that has the
  // focus.
  const handleArrowKeys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') swiper?.slideNext();
    if (event.key === 'ArrowLeft') swiper?.slidePrev();
  };
  return (
    <Controls inert={swiper === null} onKeyDown={handleArrowKeys}>
      <ControlButton type="button" aria-label="Previous slide" onClick={() => swiper?.slidePrev()}>
        <Glyph path={LEFT} />
      </ControlButton>
      {slides.map(({ id }, index) => (
        <SlideMarker
          key={id}
          type="button"
          aria-label={`Slide ${index + 1}`}
          aria-current={index === active}
          onClick={() => swiper?.slideTo(index)}
        />
      ))}
      <ControlButton type="button" aria-label="Next slide" onClick={() => swiper?.slideNext()}>
        <Glyph path={RIGHT} />
      </ControlButton>
      <PauseButton
        type="button"
        aria-label={paused ? 'Play the slides' : 'Pause the slides'}
        onClick={() => onPause(!paused)}
      >
        <Glyph path={paused ? PLAY : PAUSE} />
      </PauseButton>
    </Controls>
  );
}
