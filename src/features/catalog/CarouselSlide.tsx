import { preload } from 'react-dom';
import styled from 'styled-components';
import { ButtonLink } from '../../ui/Button';
import { listResponsiveSources } from '../../ui/Picture';
import { Picture } from '../../ui/Picture';
import { SlideContent, Headline, SlidePicture, SlideBox, SlideParagraph, SlideText } from './carouselStyle';
import type { Slide } from './slides';

type CarouselSlideProps = { slide: Slide; position: string; isFirst: boolean; isShown: boolean; isReady: boolean };

/** About the width of the picture before it is cropped. On narrow screens, that is a little more than 100vw. */
const SIZES = '(min-width: 1024px) 92vw, 100vw';

const BlurredPicture = styled(SlidePicture)<{ $blur: string }>`
  background: url(data:image/webp;base64,${({ $blur }) => $blur}) center / cover;
`;

/** Makes the browser load the page's largest picture before it finds that picture in the HTML. */
function preloadPicture(src: string) {
  const sources = listResponsiveSources(src);
  if (!sources) return;
  preload(src, {
    as: 'image',
    type: 'image/avif',
    imageSrcSet: sources.avif,
    imageSizes: SIZES,
    fetchPriority: 'high',
  });
}

export function CarouselSlide({ slide, position, isFirst, isShown, isReady }: CarouselSlideProps) {
  if (isFirst) preloadPicture(slide.picture);
  return (
    <SlideBox role="group" aria-roledescription="slide" aria-label={position} inert={!isShown}>
      <BlurredPicture $blur={slide.blur}>
        {(isFirst || isReady) && (
          <Picture src={slide.picture} sizes={SIZES} alt={slide.alt} width={1600} height={700} eager={isFirst} />
        )}
      </BlurredPicture>
      <SlideContent>
        <SlideText>
          <Headline>{slide.headline}</Headline>
          <SlideParagraph>{slide.text}</SlideParagraph>
          <ButtonLink to={slide.to}>{slide.link}</ButtonLink>
        </SlideText>
      </SlideContent>
    </SlideBox>
  );
}
