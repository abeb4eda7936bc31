import { preload } from 'react-dom';
import styled from 'styled-components';
import { ButtonLink } from '../../ui/Button';
import { ownSources } from '../../ui/Picture';
import { Picture } from '../../ui/Picture';
import { Inner, Sentence, Sight, SlideBox, Text, Words } from './carouselStyle';
import type { Slide } from './slides';

type CarouselSlideProps = { slide: Slide; place: string; first: boolean; shown: boolean; ready: boolean };

/** Of the picture's true width, which a phone crops a little. */
const SIZES = '(min-width: 1024px) 92vw, 100vw';

const Blurred = styled(Sight)<{ $blur: string }>`
  background: url(data:image/webp;base64,${({ $blur }) => $blur}) center / cover;
`;

/** The page's largest paint is asked for before the page knows that it is there. */
function hurry(src: string) {
  const own = ownSources(src);
  if (!own) return;
  preload(src, { as: 'image', type: 'image/avif', imageSrcSet: own.avif, imageSizes: SIZES, fetchPriority: 'high' });
}

export function CarouselSlide({ slide, place, first, shown, ready }: CarouselSlideProps) {
  if (first) hurry(slide.picture);
  return (
    <SlideBox role="group" aria-roledescription="slide" aria-label={place} inert={!shown}>
      <Blurred $blur={slide.blur}>
        {(first || ready) && (
          <Picture src={slide.picture} sizes={SIZES} alt={slide.alt} width={1600} height={700} eager={first} />
        )}
      </Blurred>
      <Inner>
        <Words>
          <Sentence>{slide.sentence}</Sentence>
          <Text>{slide.text}</Text>
          <ButtonLink to={slide.to}>{slide.link}</ButtonLink>
        </Words>
      </Inner>
    </SlideBox>
  );
}
