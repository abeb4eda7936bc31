import styled from 'styled-components';
import { Button } from '../../../ui/Button';
import { SuccessText } from '../../../ui/page';
import { color, media, radius, shadow, size, space } from '../../../ui/theme';

export const Address = styled.bdi`
  overflow-wrap: anywhere;
  ${media.phone} {
    font-size: ${size.small};
  }
`;

export const EmailCell = styled.span`
  display: inline-grid;
  min-width: 0;
`;

export const NotVerified = styled.span`
  color: ${color.muted};
  font-size: ${size.small};
`;

/** Narrow, so that three columns fit beside the menu. */
export const CompactButton = styled(Button)`
  padding-inline: ${space(3)};
  ${media.tablet} {
    white-space: nowrap;
  }
`;

export const AdminLabel = styled(SuccessText)`
  display: inline-block;
  padding-block: ${space(2.5)};
  padding-inline-end: ${space(3)};
`;

/** Sticky, so that the message is in view even if the pressed button is far down the page. */
export const StatusMessage = styled.p`
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
