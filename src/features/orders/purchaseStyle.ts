import styled from 'styled-components';
import { color, font, media, radius, size, space } from '../../ui/theme';

export const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(8)};
  margin-top: ${space(6)};
  ${media.nav} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: ${space(12)};
    align-items: start;
  }
`;

export const ImageFrame = styled.div`
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const Facts = styled.dl`
  display: grid;
  gap: ${space(2)};
  margin-top: ${space(5)};
  font-variant-numeric: tabular-nums;
  > div {
    display: flex;
    justify-content: space-between;
    gap: ${space(4)};
    padding-block: ${space(2)};
    border-bottom: 1px solid ${color.line};
  }
  dd {
    font: 600 ${size.lead} / 1.2 ${font.display};
  }
`;

export const Description = styled.p`
  margin-top: ${space(5)};
  color: ${color.muted};
`;

export const Form = styled.form`
  display: grid;
  gap: ${space(5)};
  padding: ${space(6)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const Offer = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(3)};
`;

export const Total = styled.p`
  display: flex;
  justify-content: space-between;
  align-items: baseline;
  padding-top: ${space(4)};
  border-top: 1px solid ${color.line};
  font-weight: 600;
  output {
    font: 600 ${size.h3} / 1 ${font.display};
    font-variant-numeric: tabular-nums;
  }
`;
