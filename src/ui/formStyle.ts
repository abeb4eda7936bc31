import styled from 'styled-components';
import { color, media, radius, size, space } from './theme';

export const FormCard = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(5)};
  max-width: 680px;
  padding: ${space(5)} ${space(4)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
  ${media.tablet} {
    padding: ${space(6)};
  }
`;

/** On wide screens, puts related fields side by side. */
export const FieldRow = styled.div`
  display: grid;
  gap: ${space(5)};
  > * {
    min-width: 0;
  }
  ${media.tablet} {
    grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
    align-items: start;
  }
`;

export const FormWithAside = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(8)};
  align-items: start;
  ${media.wide} {
    grid-template-columns: minmax(0, 1fr) 320px;
  }
`;

export const PreviewFigure = styled.figure`
  max-width: 400px;
  ${media.wide} {
    position: sticky;
    top: 88px;
  }
  figcaption {
    margin-bottom: ${space(2)};
    color: ${color.muted};
    font-size: ${size.small};
    font-weight: 600;
  }
  /* The rows of a tool's card are those of the grid that it is in. */
  ul {
    display: grid;
  }
`;
