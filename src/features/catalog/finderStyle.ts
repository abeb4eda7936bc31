import styled from 'styled-components';
import { pressable } from '../../ui/pressable';
import { color, media, shadow, size, space, touchTarget } from '../../ui/theme';

/** Hidden without scripts, because the search needs them. */
export const Finder = styled.div.attrs({ role: 'search' })`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 136px;
  gap: ${space(2)} ${space(3)};
  margin-bottom: ${space(2)};
  ${media.tablet} {
    grid-template-columns: minmax(0, 440px) minmax(0, 240px);
  }
  @media (scripting: none) {
    display: none;
  }
`;

export const Filters = styled.div`
  display: flex;
  grid-column: 1 / -1;
  flex-wrap: wrap;
  gap: ${space(2)};
`;

export const FilterButton = styled.button`
  ${pressable}
  padding-inline: ${space(3)};
  font-size: ${size.small};
`;

/** Reserves the width of two digits, so that nothing moves when the rest of a long list is loaded. */
export const FamilyCount = styled.small`
  min-width: 2ch;
  font-weight: 400;
  font-variant-numeric: tabular-nums;
`;

/** Reserves the height of one line, so that nothing moves when the count appears. */
export const Count = styled.p`
  grid-column: 1 / -1;
  min-height: 1.5em;
  color: ${color.muted};
  font-size: ${size.small};
`;

/**
 * Hidden while the search in the URL is not applied yet. If the scripts do not run, the list appears after six seconds.
 * The keyframes for that are in GlobalStyle, because inserting keyframes later would restyle the whole page.
 */
export const FoundTools = styled.div`
  position: relative;
  &:has(> :nth-child(2)) {
    padding-bottom: ${space(13)};
  }
  ${media.phone} {
    margin-inline: -${space(4)};
  }
  :root[data-finding] & {
    visibility: hidden;
    animation: reveal 0s 6s forwards;
  }
`;

/**
 * The area in which the link back to the top can stick. It begins one screen below the top of the list, and is at the
 * left, because the buttons in the cards are at the right.
 */
export const TopRail = styled.div`
  position: absolute;
  inset-block: min(100vh, 100% - ${touchTarget}) 0;
  inset-inline-start: 0;
  display: flex;
  align-items: flex-end;
  pointer-events: none;
  @media print {
    display: none;
  }
`;

/** Sticky at the lower edge of the screen while the list is in view. */
export const BackToTop = styled.a`
  ${pressable}
  position: sticky;
  bottom: ${space(3)};
  z-index: 4;
  padding-inline: ${space(4)};
  box-shadow: ${shadow};
  font-size: ${size.small};
  line-height: ${touchTarget};
  text-decoration: none;
  pointer-events: auto;
`;
