import styled from 'styled-components';
import { Button } from '../../ui/Button';
import { GoodText } from '../../ui/page';
import { color, radius, shadow, size, space } from '../../ui/theme';

export const Search = styled.div`
  max-width: 440px;
`;

export const Address = styled.bdi`
  overflow-wrap: anywhere;
`;

export const Who = styled.span`
  display: inline-grid;
  min-width: 0;
`;

export const NotVerified = styled.span`
  color: ${color.muted};
  font-size: ${size.small};
`;

/** Three columns fit beside the menu. */
export const Small = styled(Button)`
  padding-inline: ${space(3)};
  white-space: nowrap;
`;

export const IsAdmin = styled(GoodText)`
  display: inline-block;
  padding-block: ${space(2.5)};
`;

/** Stays in sight below the navbar, however far down the button was. */
export const Said = styled.p`
  position: sticky;
  top: 72px;
  z-index: 5;
  overflow-wrap: anywhere;
  &:not(:empty) {
    padding: ${space(3)} ${space(4)};
    border: 1px solid ${color.edge};
    border-radius: ${radius};
    background: ${color.surface};
    box-shadow: ${shadow};
  }
`;
