import styled, { css } from 'styled-components';
import { PHOTO_BACKGROUND } from '../../ui/Picture';
import { color, font, media, shortTransition, size, space, touchTarget } from '../../ui/theme';
import { ToolLink } from './ToolLink';

/** Divisible by one, two and three, so that the last row of a group is full in every layout. */
export const CARDS_PER_GROUP = 12;
const ESTIMATED_ROW_PX = 480;

/** A ruled sheet: neighbors share the line between them. */
export const Grid = styled.ul`
  display: grid;
  column-gap: 1px;
  grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
  contain-intrinsic-height: auto ${(CARDS_PER_GROUP * ESTIMATED_ROW_PX) / 2}px;
  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${media.wide} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    contain-intrinsic-height: auto ${(CARDS_PER_GROUP * ESTIMATED_ROW_PX) / 3}px;
  }
  /*
   * Only from the fifth group on may the browser skip groups out of view. The first 48 cards are always rendered, so
   * that they appear in print and in screenshots.
   */
  &:nth-child(n + 5) {
    content-visibility: auto;
  }
`;

export const CardItem = styled.li.attrs({ role: 'listitem' })`
  display: flex;
  flex-direction: column;
  margin-bottom: 1px;
  background: ${color.surface};
  box-shadow: 0 0 0 1px ${color.line};
`;

/** The picture, and the six lines of the text. */
const CARD_ROWS = 7;

/** The lines of the cards in a row are at the same height, also when the text of one of them is open. */
export const ToolItem = styled(CardItem)`
  display: grid;
  grid-row: span ${CARD_ROWS};
  grid-template-rows: subgrid;
  grid-template-columns: minmax(0, 1fr);
  > a {
    overflow: hidden;
    background: ${PHOTO_BACKGROUND};
  }
  /* The tool lifts off its shadow. */
  picture > img {
    background: none;
    transition:
      translate ${shortTransition},
      filter ${shortTransition};
  }
  @media (hover: hover) and (prefers-reduced-motion: no-preference) {
    &:hover picture > img {
      translate: 0 -${space(1.5)};
      filter: drop-shadow(0 ${space(3)} ${space(2)} ${color.shade});
    }
  }
`;

export const Body = styled.div`
  display: flex;
  flex: 1;
  flex-direction: column;
  gap: ${space(3)};
  padding: ${space(5)};
`;

export const ToolBody = styled.div`
  display: grid;
  grid-row: span ${CARD_ROWS - 1};
  grid-template-rows: subgrid;
  grid-template-columns: minmax(0, 1fr);
  padding: ${space(3)} ${space(5)};
  font-size: ${size.small};
  ${media.phone} {
    padding: ${space(2)} ${space(3)} ${space(3)};
  }
`;

/** The focus ring leaves the price free. */
export const Name = styled.h3`
  padding-bottom: ${space(0.5)};
  font-size: ${size.lead};
  a {
    outline-offset: 1px;
  }
  a:not(:hover) {
    text-decoration: none;
  }
`;

export const Price = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 ${space(1)};
  color: ${color.muted};
  p {
    color: ${color.ink};
    font: 600 ${size.title} / 1.1 ${font.display};
    font-variant-numeric: tabular-nums;
  }
`;

/**
 * A single line with as many facts as fit. The dot before its first fact is cut off. On phones, few facts would fit, and
 * most of them are in the name, so the description has the line.
 */
export const HardFacts = styled.div`
  display: flex;
  flex-wrap: wrap;
  height: 1.5em;
  margin: ${space(1)} 0 0 -1em;
  overflow: hidden;
  clip-path: inset(0 0 0 1em);
  font-weight: 600;
  > span {
    white-space: nowrap;
    &::before {
      content: '·' / '';
      display: inline-block;
      width: 1em;
      text-align: center;
    }
  }
  ${media.phone} {
    display: none;
  }
`;

const LINE_EM = 1.5;
const CUT_HEIGHT = `calc(var(--lines) * ${LINE_EM}em)`;

export type Cut = 'never' | 'onPhones' | 'always';

export const DescriptionBox = styled.div`
  --lines: 2;
  position: relative;
  min-height: ${CUT_HEIGHT};
  margin-bottom: ${space(2)};
  ${media.phone} {
    --lines: 3;
    margin-block: ${space(1)};
  }
`;

/** Cuts a long text after a whole line, so that no line is half visible. The tool's page has the whole text. */
export const Description = styled.p<{ $cut: Cut }>`
  color: ${color.muted};
  line-height: ${LINE_EM};
  overflow-wrap: anywhere;
  white-space: pre-line;
  ${({ $cut }) =>
    $cut !== 'never' &&
    css`
      @media ${$cut === 'always' ? 'screen' : 'screen and (max-width: 639.98px)'} {
        max-height: ${CUT_HEIGHT};
        overflow: hidden;
      }
    `}
`;

/** At the end of the last visible line, after three dots. It can be pressed above and below that line too. */
export const More = styled(ToolLink)<{ $cut: Cut }>`
  position: absolute;
  inset-block-end: -10px;
  inset-inline-end: 0;
  display: flex;
  align-items: center;
  min-width: ${touchTarget};
  min-height: ${touchTarget};
  background: linear-gradient(${color.surface} 0 0) 0 50% / 100% 1.5em no-repeat;
  padding-inline-start: ${space(4)};
  font-weight: 600;
  &::before {
    content: '… ' / '';
    display: inline-block;
    white-space: pre;
  }
  ${({ $cut }) =>
    $cut === 'onPhones' &&
    css`
      ${media.tablet} {
        display: none;
      }
    `}
  @media print {
    display: none;
  }
`;

export const Stock = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-content: flex-start;
  justify-content: space-between;
  gap: 0 ${space(4)};
  padding-top: ${space(2)};
  border-top: 1px solid ${color.line};
`;

export const OutOfStockNote = styled.p`
  flex: 1 0 100%;
  color: ${color.bad};
`;

export const CardFooter = styled.div`
  padding-top: ${space(2)};
`;
