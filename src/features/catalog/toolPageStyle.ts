import styled from 'styled-components';
import { Page } from '../../ui/page';
import { PictureFrame } from '../../ui/PictureFrame';
import { color, font, media, radius, size, space, touchTarget } from '../../ui/theme';
import { TRANSITION_NAME } from './growPicture';

export const ToolArticle = styled(Page)`
  padding-top: ${space(2)};
`;

/** A line with links that are large enough for touch. */
export const LinkLine = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space(2)};
  min-height: ${touchTarget};
  a {
    line-height: ${touchTarget};
  }
  a + a {
    margin-left: auto;
  }
`;

/** With a single column, the picture is less high, so that Purchase is on the first screen. */
export const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(6)};
  ${media.narrowNav} {
    picture > img {
      aspect-ratio: 8 / 5;
    }
  }
  ${media.nav} {
    grid-template-columns: minmax(0, 7fr) minmax(0, 5fr);
    gap: ${space(8)} ${space(12)};
    align-items: start;
  }
`;

/** On wide screens it stays beside the picture, unless the window is too low for it. */
export const OrderBox = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(4)};
  ${media.nav} {
    grid-row: span 2;
    padding: ${space(6)};
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
    position: sticky;
    top: ${space(22)};
  }
  ${media.short} {
    position: static;
  }
`;

export const LargePicture = styled(PictureFrame)`
  view-transition-name: ${TRANSITION_NAME};
`;

export const Price = styled.p`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 ${space(2)};
  strong {
    font: 600 ${size.title} / 1.1 ${font.display};
  }
`;

export const Stock = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: ${space(1)} ${space(4)};
  padding-block: ${space(3)};
  border-block: 1px solid ${color.line};
`;

export const StockNote = styled.p`
  color: ${color.bad};
`;

export const OneCrate = styled.div`
  display: flex;
  align-items: center;
  gap: ${space(4)};
  strong {
    font: 600 ${size.lead} / 1.2 ${font.display};
  }
`;
