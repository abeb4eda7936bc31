import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { paymentPath } from '../../contract/orderPaths';
import { ButtonLink } from '../../ui/Button';
import { SuccessText } from '../../ui/page';
import { color, touchTarget } from '../../ui/theme';
import { paymentCellOf } from './orderRules';

const Refunded = styled.span`
  color: ${color.muted};
  font-weight: 600;
`;

const DeleteButton = styled.button`
  min-width: ${touchTarget};
  min-height: ${touchTarget};
  padding: 0;
  border: 0;
  background: none;
  color: ${color.muted};
  text-decoration: underline;
  text-underline-offset: 0.18em;
  cursor: pointer;
  &:hover {
    color: ${color.bad};
  }
`;

type Props = { order: Order; onDelete: (order: Order) => void };

export function PaymentCell({ order, onDelete }: Props) {
  switch (paymentCellOf(order)) {
    case 'paid':
      return <SuccessText>{SPEC_MESSAGES.paid}</SuccessText>;
    case 'refunded':
      return <Refunded>Refunded</Refunded>;
    case 'pay':
      return (
        <ButtonLink to={paymentPath(order._id)} data-print="no">
          Pay
        </ButtonLink>
      );
    case 'delete':
      return (
        <DeleteButton type="button" onClick={() => onDelete(order)}>
          Delete
        </DeleteButton>
      );
  }
}
