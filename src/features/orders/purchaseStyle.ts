import styled from 'styled-components';
import { FieldWrapper } from '../../ui/fieldStyle';
import { pressable } from '../../ui/pressable';
import { color, font, media, radius, size, space, touchTarget } from '../../ui/theme';

export const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(8)};
  margin-top: ${space(6)};
  ${media.nav} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    grid-template-rows: auto 1fr;
    gap: ${space(6)} ${space(12)};
    align-items: start;
    > :nth-child(2) {
      grid-row: span 2;
    }
  }
`;

/** With a single column, the picture is small and beside the facts. */
export const ToolSection = styled.section`
  ${media.narrowNav} {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: ${space(4)};
    align-items: start;
  }
`;

export const MoreLine = styled.p`
  margin-top: ${space(4)};
  ${media.narrowNav} {
    margin-top: 0;
  }
`;

export const Facts = styled.dl`
  display: grid;
  gap: ${space(2)};
  margin-top: ${space(5)};
  ${media.narrowNav} {
    gap: 0;
    margin-top: 0;
  }
  > div {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: ${space(3)};
    padding-block: ${space(2)};
    border-bottom: 1px solid ${color.line};
  }
  dd {
    font: 600 ${size.lead} / 1.2 ${font.display};
    overflow-wrap: anywhere;
    text-align: end;
  }
`;

export const Form = styled.form`
  --padding: ${space(4)};
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(4)};
  padding: 0 var(--padding) var(--padding);
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
  ${media.tablet} {
    --padding: ${space(6)};
  }
`;

/** The order's fields that cannot be changed on this page, one line each, as a band across the top of the form. */
export const ReadOnlyRow = styled.div`
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  align-items: center;
  gap: 0 ${space(3)};
  margin-inline: calc(-1 * var(--padding));
  padding: ${space(3)} var(--padding);
  border-bottom: 1px solid ${color.line};
  border-radius: ${radius} ${radius} 0 0;
  background: ${color.paper};
  font-size: ${size.small};
  label {
    color: ${color.muted};
    font-weight: 400;
  }
  input,
  input:read-only {
    min-height: 24px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: ${color.ink};
    text-overflow: ellipsis;
  }
  ${FieldWrapper} {
    display: contents;
  }
`;

export const WarningRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(3)};
`;

export const CrateAndTotal = styled.div`
  display: flex;
  align-items: center;
  gap: ${space(4)};
  padding-bottom: ${space(4)};
  border-bottom: 1px solid ${color.line};
`;

export const Total = styled.p`
  display: flex;
  flex: 1;
  flex-wrap: wrap;
  justify-content: space-between;
  align-items: baseline;
  font-weight: 600;
  span {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 ${space(3)};
  }
  small {
    color: ${color.muted};
    font-size: ${size.small};
    font-weight: 400;
  }
  output {
    font: 600 ${size.title} / 1 ${font.display};
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
`;

export const Stepper = styled.div`
  display: grid;
  grid-template-columns: ${touchTarget} minmax(0, 1fr) ${touchTarget};
  gap: ${space(2)};
  input {
    font-size: ${size.lead};
    font-weight: 600;
    text-align: center;
  }
`;

export const Step = styled.button`
  ${pressable}
  padding: 0;
  font-size: ${size.lead};
  line-height: 1;
  &[aria-disabled='true'] {
    border-color: ${color.line};
    color: ${color.muted};
    cursor: default;
  }
`;

export const CrateButtons = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(84px, 1fr));
  gap: ${space(2)};
  margin-top: ${space(1)};
`;

export const CrateButton = styled.button`
  ${pressable}
  padding: ${space(1)};
  line-height: 1.3;
  small {
    display: block;
    color: ${color.muted};
    font-size: ${size.small};
    font-weight: 400;
  }
  &[aria-pressed='true'] small {
    color: inherit;
  }
`;
