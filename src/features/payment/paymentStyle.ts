import styled from 'styled-components';
import { color, font, lineLength, shortTransition, radius, size, space, touchTarget } from '../../ui/theme';

export const Sheet = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(6)};
  max-width: 560px;
`;

export const Label = styled.p`
  color: ${color.muted};
  font-size: ${size.small};
  font-weight: 600;
  letter-spacing: 0.08em;
`;

export const Product = styled.h2`
  font-size: ${size.h3};
  overflow-wrap: anywhere;
`;

export const Total = styled.p`
  font-family: ${font.display};
  font-size: ${size.h3};
  font-weight: 600;
  font-variant-numeric: tabular-nums;
`;

export const Delivery = styled.p`
  overflow-wrap: anywhere;
  white-space: pre-line;
`;

export const CardLabel = styled.label`
  font-weight: 600;
`;

/** As high as the provider's frame (44 px), so that nothing shifts when it loads. */
export const CardBox = styled.div`
  min-height: ${touchTarget};
  padding-inline: ${space(3)};
  border: 1px solid ${color.edge};
  border-radius: ${radius};
  background: ${color.surface};
  transition: border-color ${shortTransition};
  &:has(.StripeElement--focus) {
    outline: 3px solid ${color.ember};
    outline-offset: 1px;
  }
  &:has(.StripeElement--invalid) {
    border-color: ${color.bad};
  }
`;

export const Transaction = styled.code`
  display: inline-block;
  padding: ${space(2)} ${space(3)};
  border-radius: ${radius};
  background: ${color.emberSoft};
  font-family: ${font.mono};
  font-size: ${size.small};
  overflow-wrap: anywhere;
  user-select: all;
`;

export const DoneTitle = styled.h2`
  max-width: ${lineLength};
  color: ${color.good};
  font-size: ${size.h4};
`;

export const RefundTitle = styled(DoneTitle)`
  color: ${color.bad};
`;

export const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(3)};
`;
