import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { paymentPath } from '../../contract/orderPaths';
import { ButtonLink } from '../../ui/Button';
import { SuccessText } from '../../ui/page';
import { color, touchTarget } from '../../ui/theme';

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

/** Decides by `paid` and `price`, as specification A.2 says. Only the word Refunded is ours. */
export function PaymentCell({ order, onDelete }: Props) {
  if (order.paid) return <SuccessText>{SPEC_MESSAGES.paid}</SuccessText>;
  if (order.status === 'refunded') return <Refunded>Refunded</Refunded>;
  if (order.price !== null)
    return (
      <ButtonLink to={paymentPath(order._id)} data-print="no">
        Pay
      </ButtonLink>
    );
  return (
    <DeleteButton type="button" onClick={() => onDelete(order)}>
      Delete
    </DeleteButton>
  );
}
