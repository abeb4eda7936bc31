import styled from 'styled-components';
import { color, radius, size, space } from '../../../ui/theme';

export const SheetActions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(3)};
`;

export const PreviewBox = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(3)};
  padding: ${space(4)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const PreviewTitle = styled.h3`
  font-size: ${size.lead};
  overflow-wrap: anywhere;
`;

/** Scrolls on its own, so that the button below stays in reach of a long list. */
export const PreviewList = styled.ul.attrs({ role: 'list' })`
  max-height: 420px;
  overflow-y: auto;
`;

export const PreviewLine = styled.li.attrs({ role: 'listitem' })`
  padding-block: ${space(2)};
  border-top: 1px solid ${color.line};
  overflow-wrap: anywhere;
  ins {
    color: ${color.ink};
    font-weight: 600;
    text-decoration: none;
  }
`;
