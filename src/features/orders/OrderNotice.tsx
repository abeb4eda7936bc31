import { Link } from 'react-router-dom';
import { ErrorText } from '../../ui/page';
import { NoticeBox } from '../../ui/NoticeBox';
import type { PurchaseOutcome } from './usePurchaseForm';

type Props = Pick<PurchaseOutcome, 'sentence' | 'leadsToOrders'>;

/** Says why the last request failed, and leads to My Orders if the customer can do something there. */
export function OrderNotice({ sentence, leadsToOrders }: Props) {
  if (!leadsToOrders) return <ErrorText>{sentence}</ErrorText>;
  return (
    <NoticeBox>
      <ErrorText>{sentence}</ErrorText>
      <Link to="/dashboard/myorder">Go to My Orders</Link>
    </NoticeBox>
  );
}
