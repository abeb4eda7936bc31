import styled, { css } from 'styled-components';
import { color, radius, size, space } from './theme';

/** Below this width, rows become cards, because the columns would be too narrow. */
const CARDS_BELOW_PX = 1100;
const tableMedia = {
  cards: `@media (max-width: ${CARDS_BELOW_PX - 0.02}px)`,
  columns: `@media (min-width: ${CARDS_BELOW_PX}px)`,
};

export const ScrollArea = styled.div`
  ${tableMedia.columns} {
    overflow-x: auto;
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
  }
`;

export const ROWS_PER_GROUP = 10;
/** Few, because all rows of a section that comes near the viewport are rendered in one go. */
export const ROWS_PER_SECTION = 50;
/**
 * How many rows are rendered at once while the user scrolls. Each loaded page of orders changes the store, and React
 * renders the rest of a step without a pause if the store changes in the meantime. So a step has few rows.
 */
export const ROWS_PER_STEP = 30;
/** These rows are rendered even if the browser has not decided yet whether they are in view. */
export const ROWS_OF_FIRST_SCREEN = 40;
/** The estimated height of a row, for groups that the browser has not rendered yet. */
const ESTIMATED_ROW_PX = { table: 69, card: 165 };

const rowGrid = css`
  display: grid;
  grid-template-columns: var(--tracks);
  align-items: center;
`;

const rowStyle = css`
  ${tableMedia.columns} {
    ${rowGrid}
    border-top: 1px solid ${color.line};
  }
  ${tableMedia.cards} {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${space(1)} ${space(3)};
    > :last-child {
      margin-inline-start: auto;
    }
    margin-bottom: ${space(3)};
    padding: ${space(2)} ${space(4)};
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
  }
`;

const cellStyle = css`
  overflow-wrap: anywhere;
  padding: ${space(3)} ${space(4)};
  &[data-nowrap='true'] {
    white-space: nowrap;
  }
  ${tableMedia.cards} {
    padding: 0;
    &[data-card='line'] {
      order: -1;
      flex: 1 0 100%;
      min-width: 0;
    }
    &:not([data-card])::before {
      display: block;
      content: attr(data-label) / '';
      color: ${color.muted};
      font-size: ${size.small};
    }
  }
`;

/** Styles its rows and cells too, because styled components would cost time and memory in each of 10,000 rows. */
export const TableGrid = styled.div<{ $tracks: string }>`
  --tracks: ${({ $tracks }) => $tracks};
  [data-align='end'] {
    text-align: end;
  }
  [data-row] {
    ${rowStyle}
  }
  [data-label] {
    ${cellStyle}
  }
`;

export const TableHead = styled.div`
  [role='row'] {
    ${rowGrid}
  }
  [role='columnheader'] {
    padding: ${space(3)} ${space(4)};
    color: ${color.muted};
    font-size: ${size.small};
    font-weight: 600;
    overflow-wrap: normal;
  }
  ${tableMedia.cards} {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`;

/** Lets the browser skip rows that are out of view. Until it has rendered them, it assumes this height. */
export const RowGroup = styled.div`
  &[data-first='false'] {
    content-visibility: auto;
    contain-intrinsic-size: auto ${ROWS_PER_GROUP * ESTIMATED_ROW_PX.table}px;
    ${tableMedia.cards} {
      contain-intrinsic-size: auto ${ROWS_PER_GROUP * ESTIMATED_ROW_PX.card}px;
    }
  }
`;

export const DetailsRow = styled.div`
  ${tableMedia.cards} {
    margin-block: -${space(3)} ${space(3)};
  }
`;
