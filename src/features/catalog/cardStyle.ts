import styled from 'styled-components';
import { color, font, media, radius, size, space } from '../../ui/theme';

/** A multiple of one, two and three columns, so that every group ends with a full row. */
export const GROUP_CARDS = 12;
const ROW_PX = 564;

export const Grid = styled.ul`
  display: grid;
  gap: ${space(6)};
  grid-template-columns: minmax(0, 1fr);
  contain-intrinsic-height: auto ${GROUP_CARDS * ROW_PX}px;
  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    contain-intrinsic-height: auto ${(GROUP_CARDS * ROW_PX) / 2}px;
  }
  ${media.wide} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    contain-intrinsic-height: auto ${(GROUP_CARDS * ROW_PX) / 3}px;
  }
  /* Skips rendering for long lists only. The first 48 cards are always rendered, for printing and screenshots. */
  &:nth-child(n + 5) {
    content-visibility: auto;
  }
`;

export const Item = styled.li.attrs({ role: 'listitem' })`
  display: flex;
  flex-direction: column;
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const Body = styled.div`
  display: flex;
  flex: 1;
  flex-direction: column;
  gap: ${space(3)};
  padding: ${space(5)};
`;

export const Name = styled.h3`
  font-size: ${size.h4};
`;

export const Price = styled.p`
  font: 600 ${size.h4} / 1 ${font.display};
  font-variant-numeric: tabular-nums;
`;

export const TwoLines = styled.p`
  display: -webkit-box;
  overflow: hidden;
  min-height: 3em;
  color: ${color.muted};
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
`;

export const Facts = styled.div`
  display: grid;
  gap: ${space(1)};
  padding-top: ${space(3)};
  border-top: 1px solid ${color.line};
  font-variant-numeric: tabular-nums;
`;

export const CardFooter = styled.div`
  margin-top: auto;
`;

export const OutOfStockNote = styled.p`
  color: ${color.bad};
  font-size: ${size.small};
`;
