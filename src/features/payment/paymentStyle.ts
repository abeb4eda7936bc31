import styled from 'styled-components';
import { color, font, lineLength, media, shortTransition, radius, size, space, touchTarget } from '../../ui/theme';

export const PaymentSections = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(6)};
`;

/**
 * On wide screens, the order is beside the card form. On others it is above, so that customers see it before they pay.
 */
export const PaymentColumns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(6)};
  align-items: start;
  > :last-child {
    order: -1;
  }
  ${media.wide} {
    grid-template-columns: minmax(0, 560px) minmax(240px, 1fr);
    > :last-child {
      order: 0;
    }
  }
`;

/** On narrow screens, the picture is small and beside the order's details. */
export const OrderCard = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 2fr);
  gap: ${space(4)};
  align-items: start;
  ${media.wide} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

export const PictureBox = styled.div`
  aspect-ratio: 4 / 3;
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius};
`;

export const SummaryLabel = styled.p`
  color: ${color.muted};
  font-size: ${size.small};
  font-weight: 600;
  letter-spacing: 0.08em;
`;

export const ProductName = styled.h2`
  font-size: ${size.title};
  overflow-wrap: anywhere;
`;

export const OrderTotal = styled.p`
  font-family: ${font.display};
  font-size: ${size.title};
  font-weight: 600;
`;

export const CardLabel = styled.label`
  font-weight: 600;
`;

/** As high as the payment provider's frame (44 px), so that nothing moves when the frame is loaded. */
export const CardBox = styled.div`
  min-height: ${touchTarget};
  padding-inline: ${space(3)};
  border: 1px solid ${color.edge};
  border-radius: ${radius};
  background: ${color.surface};
  transition: border-color ${shortTransition};
  &:has(.StripeElement--focus) {
    outline: 3px solid ${color.focus};
    outline-offset: 2px;
  }
  &:has(.StripeElement--invalid) {
    border-color: ${color.bad};
    box-shadow: inset 0 0 0 1px ${color.bad};
  }
`;

export const TransactionCode = styled.code`
  display: inline-block;
  padding: ${space(2)} ${space(3)};
  border-radius: ${radius};
  background: ${color.line};
  font-family: ${font.mono};
  font-size: ${size.small};
  overflow-wrap: anywhere;
  user-select: all;
`;

export const PaidTitle = styled.h2`
  max-width: ${lineLength};
  color: ${color.good};
  font-size: ${size.title};
`;

export const RefundTitle = styled(PaidTitle)`
  color: ${color.bad};
`;

export const ActionRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(3)};
`;
