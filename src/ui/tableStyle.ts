import styled from 'styled-components';
import { color, media, radius, size, space } from './theme';

export const Scroll = styled.div`
  ${media.tablet} {
    overflow-x: auto;
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
  }
`;

export const Grid = styled.table`
  width: 100%;
  border-collapse: collapse;
  font-variant-numeric: tabular-nums;
  [data-align='end'] {
    text-align: end;
  }
  ${media.phone} {
    &,
    tbody {
      display: grid;
      gap: ${space(3)};
    }
  }
`;

export const Head = styled.thead`
  th {
    padding: ${space(3)} ${space(4)};
    border-bottom: 1px solid ${color.line};
    color: ${color.muted};
    font-size: ${size.small};
    text-align: start;
  }
  ${media.phone} {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`;

export const Row = styled.tr`
  ${media.tablet} {
    &:not(:last-child) td {
      border-bottom: 1px solid ${color.line};
    }
  }
  ${media.phone} {
    display: block;
    padding: ${space(2)} ${space(4)};
    border: 1px solid ${color.line};
    border-radius: ${radius};
    background: ${color.surface};
    &:nth-child(n + 49) {
      content-visibility: auto;
      contain-intrinsic-size: auto 240px;
    }
  }
`;

export const Cell = styled.td`
  padding: ${space(3)} ${space(4)};
  ${media.phone} {
    overflow-wrap: anywhere;
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
