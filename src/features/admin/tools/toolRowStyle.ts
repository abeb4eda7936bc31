import styled from 'styled-components';
import { color, media, radius, size, space, touchTarget } from '../../../ui/theme';

/** From the third group on, the browser skips the rendering of a group of rows while it is out of view. */
export const TOOLS_PER_GROUP = 10;
/**
 * At first, only this many rows are rendered, because a single key press in the search field can replace all of them.
 */
export const FIRST_TOOLS = 30;
const ESTIMATED_ROW_PX = { wide: 103, phone: 158 };

export const Header = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(2)} ${space(6)};
  > a {
    display: inline-flex;
    align-items: center;
    min-height: ${touchTarget};
  }
`;

export const SectionTitle = styled.h2`
  font-size: ${size.title};
`;

export const ToolGroup = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(2)};
  &:nth-child(n + 3) {
    content-visibility: auto;
    contain-intrinsic-size: auto ${TOOLS_PER_GROUP * ESTIMATED_ROW_PX.wide}px;
    ${media.phone} {
      contain-intrinsic-size: auto ${TOOLS_PER_GROUP * ESTIMATED_ROW_PX.phone}px;
    }
  }
`;

export const ToolItem = styled.li.attrs({ role: 'listitem' })`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(4)};
  padding: ${space(3)} ${space(4)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const ToolSummary = styled.div`
  display: grid;
  grid-template-columns: 80px minmax(0, 1fr);
  align-items: center;
  gap: ${space(3)} ${space(4)};
  ${media.wide} {
    grid-template-columns: 80px minmax(0, 1fr) auto;
  }
`;

export const Thumbnail = styled.div`
  img {
    border-radius: ${radius};
  }
`;

export const ToolName = styled.h3`
  font-size: ${size.lead};
  overflow-wrap: anywhere;
`;

export const FactsLine = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0 ${space(4)};
  color: ${color.muted};
  font-size: ${size.small};
`;

export const ToolWarning = styled.strong`
  color: ${color.bad};
`;

export const ToolActions = styled.div`
  display: flex;
  flex-wrap: wrap;
  grid-column: 1 / -1;
  gap: ${space(2)};
  button {
    padding-inline: ${space(4)};
    ${media.phone} {
      padding-inline: ${space(3)};
    }
  }
  ${media.wide} {
    grid-column: auto;
  }
`;

export const ChangedValueRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(2)} ${space(4)};
  overflow-wrap: anywhere;
`;
