import styled, { css } from 'styled-components';
import { color, radius, size, space } from './theme';

/** Below this width, rows become cards, because five columns of text would be too narrow. */
const CARDS_BELOW_PX = 760;
const tableMedia = {
  cards: `@media (max-width: ${CARDS_BELOW_PX - 0.02}px)`,
  columns: `@media (min-width: ${CARDS_BELOW_PX}px)`,
};

export const Scroll = styled.div`
  ${tableMedia.columns} {
    overflow-x: auto;
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
  }
`;

export const ROWS_PER_GROUP = 20;
/** The estimated height of a row, for groups that the browser has not rendered yet. */
const ROW_PX = { table: 69, card: 252 };

export const Grid = styled.table<{ $tracks: string }>`
  --tracks: ${({ $tracks }) => $tracks};
  display: block;
  font-variant-numeric: tabular-nums;
  [data-align='end'] {
    text-align: end;
  }
`;

const rowGrid = css`
  display: grid;
  grid-template-columns: var(--tracks);
  align-items: center;
`;

export const Head = styled.thead`
  display: block;
  tr {
    ${rowGrid}
  }
  th {
    padding: ${space(3)} ${space(4)};
    color: ${color.muted};
    font-size: ${size.small};
    overflow-wrap: normal;
    text-align: start;
  }
  ${tableMedia.cards} {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`;

export const RowGroup = styled.tbody`
  display: block;
  &:nth-of-type(n + 3) {
    content-visibility: auto;
    contain-intrinsic-size: auto ${ROWS_PER_GROUP * ROW_PX.table}px;
    ${tableMedia.cards} {
      contain-intrinsic-size: auto ${ROWS_PER_GROUP * ROW_PX.card}px;
    }
  }
`;

export const Row = styled.tr`
  ${tableMedia.columns} {
    ${rowGrid}
    border-top: 1px solid ${color.line};
  }
  ${tableMedia.cards} {
    display: block;
    margin-bottom: ${space(3)};
    padding: ${space(2)} ${space(4)};
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
  }
`;

export const DetailsRow = styled.tr`
  display: block;
  td {
    display: block;
    padding: 0;
  }
  ${tableMedia.cards} {
    margin-block: -${space(3)} ${space(3)};
  }
`;

export const Cell = styled.td`
  overflow-wrap: anywhere;
  padding: ${space(3)} ${space(4)};
  ${tableMedia.cards} {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${space(4)};
    min-height: 40px;
    padding: ${space(1)} 0;
    text-align: end;
    text-wrap: balance;
    &::before {
      flex: none;
      content: attr(data-label) / '';
      color: ${color.muted};
      font-size: ${size.small};
      text-align: start;
    }
  }
`;
