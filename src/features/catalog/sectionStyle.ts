import styled from 'styled-components';
import { Content } from '../../ui/page';
import { color, media, size, space } from '../../ui/theme';

export const Section = styled(Content)`
  padding-block: ${space(7)};
  ${media.tablet} {
    padding-block: ${space(12)};
  }
`;

export const Heading = styled.h2`
  margin-bottom: ${space(5)};
  font-size: ${size.title};
`;

export const Band = styled.section`
  background: ${color.night};
  color: ${color.nightInk};
  --focus: ${color.nightInk};
`;

/** At most as high as the window below the navigation bar, so that picture and headline are seen together. */
export const CAROUSEL_HEIGHT = 'clamp(264px, min(36vw, 100vh - 64px), 560px)';

/** About as high as the carousel, so that the page hardly moves when the carousel replaces it. */
export const CarouselPlaceholder = styled(Band)`
  min-height: calc(44vw + 280px);
  ${media.tablet} {
    min-height: ${CAROUSEL_HEIGHT};
  }
`;

export const Shortcuts = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0 ${space(6)};
  margin-bottom: ${space(4)};
  ${Heading} {
    margin-bottom: 0;
  }
  a {
    display: inline-block;
    padding-block: ${space(2.5)};
  }
  a + a {
    margin-inline-start: ${space(5)};
  }
`;
