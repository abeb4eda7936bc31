import { Link } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Button } from '../../ui/Button';
import { GoodText } from '../../ui/page';
import { color, touchTarget } from '../../ui/theme';
import { paymentActionOf } from './orderRules';

const Pay = styled(Link)`
  display: inline-flex;
  align-items: center;
  min-height: ${touchTarget};
  font-weight: 600;
`;

const Refunded = styled.span`
  color: ${color.muted};
  font-weight: 600;
`;

type Props = { order: Order; onDelete: (order: Order) => void };

export function PaymentCell({ order, onDelete }: Props) {
  switch (paymentActionOf(order)) {
    case 'paid':
      return <GoodText>{SPEC_MESSAGES.paid}</GoodText>;
    case 'refunded':
      return <Refunded>Refunded</Refunded>;
    case 'pay':
      return <Pay to={`/dashboard/payment/${order._id}`}>Pay</Pay>;
    case 'delete':
      return (
        <Button variant="danger" onClick={() => onDelete(order)}>
          Delete
        </Button>
      );
  }
}
