import styled, { css } from 'styled-components';
import { color, font, media, radius, size, space, touchTarget } from '../../ui/theme';

/** Divisible by one, two and three, so that the last row of a group is full in every layout. */
export const CARDS_PER_GROUP = 12;
const ESTIMATED_ROW_PX = 600;

export const Grid = styled.ul<{ $compact: boolean }>`
  display: grid;
  gap: ${({ $compact }) => space($compact ? 3 : 6)};
  grid-template-columns: ${({ $compact }) => ($compact ? 'repeat(auto-fill, minmax(150px, 1fr))' : 'minmax(0, 1fr)')};
  contain-intrinsic-height: auto ${({ $compact }) => (CARDS_PER_GROUP * ESTIMATED_ROW_PX) / ($compact ? 2 : 1)}px;
  ${media.tablet} {
    gap: ${space(6)};
    grid-template-columns: repeat(2, minmax(0, 1fr));
    contain-intrinsic-height: auto ${(CARDS_PER_GROUP * ESTIMATED_ROW_PX) / 2}px;
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
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
  /* An opened text needs both columns of a phone. */
  ${media.phone} {
    &:has(details[open], [aria-expanded='true']) {
      grid-column: 1 / -1;
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

/** On phones, two cards are side by side, so they have less padding and smaller text. */
export const ToolBody = styled(Body)`
  ${media.phone} {
    gap: ${space(2)};
    padding: ${space(3)};
    font-size: ${size.small};
    a {
      padding-inline: ${space(2)};
      font-size: ${size.body};
    }
  }
`;

export const Name = styled.h3`
  font-size: ${size.lead};
  ${media.phone} {
    font-size: ${size.lead};
  }
`;

export const Price = styled.p`
  font: 600 ${size.lead} / 1 ${font.display};
  font-variant-numeric: tabular-nums;
`;

const LINE_EM = 1.5;
const CUT_LINES = 3;

export type Cut = 'never' | 'onPhones' | 'always';

/**
 * Cuts a long text after a whole line, so that no line is half visible. If the element after it is open, the whole text
 * is visible.
 */
export const Description = styled.p<{ $cut: Cut }>`
  min-height: ${CUT_LINES * LINE_EM}em;
  color: ${color.muted};
  line-height: ${LINE_EM};
  overflow-wrap: anywhere;
  white-space: pre-line;
  ${({ $cut }) =>
    $cut !== 'never' &&
    css`
      @media ${$cut === 'always' ? 'screen' : 'screen and (max-width: 639.98px)'} {
        &:not(:has(+ details[open], + [aria-expanded='true'])) {
          max-height: ${CUT_LINES * LINE_EM}em;
          overflow: hidden;
        }
      }
    `}
`;

const moreText = css`
  display: inline-flex;
  align-items: center;
  min-height: ${touchTarget};
  font-weight: 600;
  text-decoration: underline;
  text-underline-offset: 0.18em;
  cursor: pointer;
`;

const shownWhileCut = css<{ $cut: Cut }>`
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

export const MoreDetails = styled.details<{ $cut: Cut }>`
  margin-block: -${space(3)};
  summary {
    ${moreText}
    list-style: none;
    &::-webkit-details-marker {
      display: none;
    }
  }
  &[open] span:first-child,
  &:not([open]) span:last-child {
    display: none;
  }
  ${shownWhileCut}
`;

export const MoreButton = styled.button<{ $cut: Cut }>`
  align-self: start;
  margin-block: -${space(3)};
  padding: 0;
  border: 0;
  background: none;
  ${moreText}
  ${shownWhileCut}
`;

export const Facts = styled.div`
  display: grid;
  gap: ${space(1)};
  padding-top: ${space(3)};
  border-top: 1px solid ${color.line};
`;

export const CardFooter = styled.div`
  margin-top: auto;
`;

export const OutOfStockNote = styled.p`
  color: ${color.bad};
  font-size: ${size.small};
`;
