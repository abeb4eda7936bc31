import styled from 'styled-components';
import { Content } from '../../ui/page';
import { color, media, size, space } from '../../ui/theme';

export const Section = styled(Content)`
  padding-block: ${space(12)};
  ${media.tablet} {
    padding-block: ${space(18)};
  }
`;

export const Heading = styled.h2`
  margin-bottom: ${space(6)};
  font-size: ${size.title};
`;

export const Band = styled.section`
  background: ${color.night};
  color: ${color.nightInk};
  --focus: ${color.nightInk};
`;

/** About as high as the carousel, so that the page hardly moves when the carousel replaces it. */
export const CarouselPlaceholder = styled(Band)`
  min-height: calc(50vw + 260px);
  ${media.wide} {
    min-height: clamp(400px, 40vw, 600px);
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
