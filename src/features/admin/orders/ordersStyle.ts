import styled from 'styled-components';
import { Link } from 'react-router-dom';
import { countStyle } from '../../../ui/countStyle';
import { color, media, radius, shortTransition, size, space, touchTarget } from '../../../ui/theme';

export const FilterList = styled.ul`
  display: flex;
  flex-wrap: wrap;
  border-bottom: 1px solid ${color.line};
`;

export const FilterLink = styled(Link)`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  min-height: ${touchTarget};
  padding-inline: ${space(3)};
  color: ${color.ink};
  font-weight: 400;
  text-decoration: none;
  white-space: nowrap;
  transition: color ${shortTransition};
  &:focus-visible {
    outline-offset: -3px;
  }
  &[aria-current] {
    box-shadow: inset 0 -3px ${color.ink};
    font-weight: 600;
  }
`;

export const Count = styled.span`
  ${countStyle}
`;

/** Fades the old results while a new search is loading. */
export const Results = styled.div<{ $isStale: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(4)};
  opacity: ${({ $isStale }) => ($isStale ? 0.6 : 1)};
  [role='row'] {
    position: relative;
  }
  /*
   * Only for the accessibility checker axe, which cannot tell that a dialog is modal
   * (https://github.com/dequelabs/axe-core/issues/3463). Browsers show a modal dialog above everything else anyway.
   */
  dialog {
    z-index: 1;
  }
`;

/** Its `::after` covers the whole row, so that a click anywhere in the row opens the order. */
export const OrderToggle = styled.button`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  min-height: ${touchTarget};
  max-width: 100%;
  padding: 0;
  border: 0;
  background: none;
  font-weight: 600;
  text-align: start;
  overflow-wrap: anywhere;
  cursor: pointer;
  &::before {
    flex: none;
    width: 0.5em;
    height: 0.5em;
    border: solid currentColor;
    border-width: 0 2px 2px 0;
    content: '';
    rotate: -45deg;
    transition: rotate ${shortTransition};
  }
  &[aria-expanded='true']::before {
    rotate: 45deg;
  }
  &::after {
    position: absolute;
    inset: 0;
    content: '';
  }
  &:hover {
    color: ${color.ember};
  }
`;

/** Aligns both lines at the same edge, even if one of them is a name in a right-to-left script. */
export const TwoLineText = styled.span`
  display: grid;
  justify-items: start;
  min-width: 0;
  > :where(:last-child:not(:first-child)) {
    color: ${color.muted};
    font-size: ${size.small};
    font-weight: 400;
    overflow-wrap: anywhere;
  }
`;

export const StatusText = styled.span`
  font-weight: 600;
  &[data-status='paid'],
  &[data-status='unpriced'] {
    color: ${color.amber};
  }
  &[data-status='shipped'] {
    color: ${color.good};
  }
  &[data-status='refunded'],
  &[data-status='unpaid'] {
    color: ${color.muted};
  }
`;

export const WarningText = styled.span`
  && {
    color: ${color.bad};
    font-weight: 600;
  }
`;

export const DetailsBox = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(6)};
  padding: ${space(5)} ${space(4)};
  border-inline-start: 3px solid ${color.ink};
  background: ${color.surface};
  ${media.phone} {
    border: 1px solid ${color.line};
    border-inline-start: 3px solid ${color.ink};
    border-radius: ${radius};
  }
  ${media.wide} {
    grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
  }
`;

export const ButtonRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(3)};
`;

export const RiskWarning = styled.p`
  color: ${color.bad};
  font-weight: 600;
`;
