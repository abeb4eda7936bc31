import styled from 'styled-components';
import { color, font, lineLength, media, radius, size, space } from '../../ui/theme';

export const Lead = styled.p`
  max-width: ${lineLength};
  margin-top: ${space(4)};
  color: ${color.muted};
  font-size: ${size.lead};
`;

export const Section = styled.section`
  margin-top: ${space(14)};
  > h2 {
    margin-bottom: ${space(5)};
    font-size: ${size.title};
  }
`;

export const StepList = styled.ol`
  display: grid;
  gap: ${space(8)} ${space(6)};
  ${media.tablet} {
    grid-template-columns: 1fr 1fr;
  }
  h3 {
    margin-top: ${space(3)};
    font-size: ${size.lead};
  }
`;

export const QualificationList = styled.ul`
  display: grid;
  gap: ${space(4)} ${space(8)};
  ${media.tablet} {
    grid-template-columns: 1fr 1fr;
  }
  li {
    padding-inline-start: ${space(4)};
    border-inline-start: 3px solid ${color.ink};
  }
  h3 {
    margin-bottom: ${space(1)};
    font-size: ${size.lead};
  }
`;

export const ProjectLinks = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(2)} ${space(6)};
  margin-bottom: ${space(6)};
  a {
    display: inline-flex;
    align-items: center;
    min-height: 32px;
  }
`;

export const ProjectCards = styled.div`
  display: grid;
  gap: ${space(6)};
  ${media.wide} {
    grid-template-columns: repeat(3, 1fr);
  }
`;

export const ProjectCard = styled.article`
  display: flex;
  flex-direction: column;
  gap: ${space(3)};
  padding: ${space(6)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
  &:target {
    border-color: ${color.ink};
  }
  h3 {
    font-size: ${size.lead};
  }
`;

export const FigureList = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(1)} ${space(5)};
  margin-top: auto;
  padding-top: ${space(2)};
  font: 600 ${size.lead} / 1.2 ${font.display};
  font-variant-numeric: tabular-nums;
`;

export const FaqEntry = styled.div`
  padding-block: ${space(4)};
  border-top: 1px solid ${color.line};
  &:target {
    border-top-color: ${color.ink};
    box-shadow: inset 0 3px ${color.ink};
  }
  dt {
    margin-bottom: ${space(1)};
    font-weight: 600;
  }
  dd {
    max-width: ${lineLength};
  }
  ${media.wide} {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: ${space(6)};
    dd {
      grid-column: span 2;
    }
  }
`;
