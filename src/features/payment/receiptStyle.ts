import styled from 'styled-components';
import { Facts } from '../../ui/Facts';
import { Card, Stack } from '../../ui/page';
import { stencil } from '../../ui/stencil';
import { color, font, radius, size, space } from '../../ui/theme';

export const Paper = styled(Card)`
  max-width: 800px;
  @media print {
    padding: 0;
    border: 0;
    break-inside: avoid;
  }
`;

export const Heading = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(2)} ${space(4)};
`;

export const Seller = styled.p`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  font: 600 ${size.title} / 1 ${font.display};
  svg {
    color: ${color.ember};
    print-color-adjust: exact;
  }
`;

/** On paper, the order is a line of a table, as bookkeepers expect. */
export const PrintedLine = styled.table`
  display: none;
  width: 100%;
  border-collapse: collapse;
  th {
    border-bottom: 1px solid ${color.ink};
    font-size: ${size.small};
  }
  td {
    border-bottom: 1px solid ${color.line};
    vertical-align: top;
  }
  th,
  td {
    padding: ${space(1)} 0 ${space(1)} ${space(4)};
    text-align: end;
    white-space: nowrap;
  }
  > * > * > :first-child {
    width: 100%;
    padding-inline-start: 0;
    text-align: start;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  @media print {
    display: table;
  }
`;

export const Amount = styled(Stack)`
  @media print {
    text-align: end;
  }
`;

/** Stamped onto the paper, in print too. */
export const Stamp = styled.span<{ $isGood: boolean }>`
  ${stencil}
  padding: ${space(2)} ${space(4)};
  border: 3px solid currentColor;
  border-radius: ${radius};
  color: ${({ $isGood }) => ($isGood ? color.good : color.muted)};
  font-size: ${size.title};
  letter-spacing: 0.1em;
  print-color-adjust: exact;
  rotate: -4deg;
`;

export const Shipped = styled.div`
  display: flex;
  align-items: center;
  gap: ${space(5)};
`;

export const SectionTitle = styled.h3`
  font-size: ${size.lead};
`;

export const Details = styled(Facts)`
  padding-block: ${space(5)};
  border-block: 1px solid ${color.line};
  &:last-child {
    padding-bottom: 0;
    border-bottom: 0;
  }
  @media print {
    gap: ${space(1)};
    padding-block: ${space(3)};
  }
`;

/** The complete order id, for support and for software. People use the short order number. */
export const WholeId = styled.small`
  color: ${color.muted};
  font-size: ${size.small};
`;

export const Entry = styled.li`
  display: grid;
  gap: ${space(1)};
  padding-inline-start: ${space(3)};
  border-inline-start: 3px solid ${color.ink};
  overflow-wrap: anywhere;
  time {
    color: ${color.muted};
    font-size: ${size.small};
  }
  a {
    justify-self: start;
  }
  @media print {
    a::after {
      content: ': ' attr(href);
    }
  }
`;
