import styled from 'styled-components';
import { Content } from '../../ui/page';
import { CAROUSEL_HEIGHT } from './sectionStyle';
import { color, font, media, shortTransition, radius, size, space, touchTarget } from '../../ui/theme';

export const Strip = styled.div.attrs({ className: 'swiper' })`
  position: relative;
  overflow: hidden;
  touch-action: pan-y;
`;

export const SlideRow = styled.div.attrs({ className: 'swiper-wrapper' })`
  display: flex;
  transition-property: transform;
`;

export const SlideBox = styled.div.attrs({ className: 'swiper-slide' })`
  position: relative;
  flex: 0 0 100%;
  width: 100%;
  height: auto;
`;

export const SlideContent = styled(Content)`
  padding-block: ${space(5)};
  ${media.tablet} {
    position: relative;
    display: grid;
    align-items: center;
    min-height: ${CAROUSEL_HEIGHT};
    padding-block: ${space(5)} ${space(15)};
  }
`;

/** On phones, the picture is above the text. On wider screens, it is behind the text and fades out to the left. */
export const SlidePicture = styled.div`
  aspect-ratio: 16 / 9;
  overflow: hidden;
  img {
    height: 100%;
    background: none;
    object-position: 94% center;
  }
  ${media.tablet} {
    position: absolute;
    inset: 0 0 0 22%;
    aspect-ratio: auto;
    mask-image: linear-gradient(90deg, transparent, rgb(0 0 0 / 0.35) 25%, black 42%);
  }
`;

export const SlideText = styled.div`
  display: grid;
  align-content: start;
  justify-items: start;
  gap: ${space(3)};
  ${media.tablet} {
    max-width: 46%;
  }
`;

export const Headline = styled.h2`
  font-size: ${size.page};
  ${media.tablet} {
    font-size: clamp(${size.title}, min(5vw, 10vh), ${size.hero});
  }
`;

export const SlideParagraph = styled.p`
  max-width: 34ch;
  color: ${color.nightMuted};
  font-size: ${size.lead};
`;

export const Controls = styled(Content)`
  position: relative;
  z-index: 1;
  display: flex;
  align-items: center;
  gap: ${space(1)};
  padding-block: ${space(1)} ${space(3)};
  &[inert] {
    visibility: hidden;
  }
  @media (scripting: none) {
    display: none;
  }
  ${media.tablet} {
    margin-top: -${space(15)};
  }
`;

export const ControlButton = styled.button`
  display: grid;
  place-items: center;
  min-width: ${touchTarget};
  height: ${touchTarget};
  padding: 0;
  border: 0;
  border-radius: ${radius};
  background: none;
  color: ${color.nightInk};
  font-family: ${font.display};
  cursor: pointer;
  transition: color ${shortTransition};
  &:hover {
    color: ${color.nightEmber};
  }
`;

export const PauseButton = styled(ControlButton)`
  ${media.reducedMotion} {
    display: none;
  }
`;

export const SlideMarker = styled(ControlButton)`
  flex: 0 1 ${touchTarget};
  min-width: 32px;
  &::before {
    content: '';
    width: 20px;
    height: 4px;
    border-radius: 2px;
    background: ${color.nightMuted};
  }
  &[aria-current='true']::before {
    background: ${color.nightInk};
  }
  ${media.forcedColors} {
    &::before {
      background: ButtonText;
    }
    &[aria-current='true']::before {
      background: Highlight;
    }
  }
`;
