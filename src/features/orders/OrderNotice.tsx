import { Link } from 'react-router-dom';
import { ErrorText } from '../../ui/page';
import { NoticeBox } from './purchaseStyle';
import type { PurchaseOutcome } from './usePurchaseForm';

type Props = Pick<PurchaseOutcome, 'sentence' | 'unpriced' | 'leadsToOrders'>;

/** Shows the outcome of the last request, and leads to My Orders if the customer can do something there. */
export function OrderNotice({ sentence, unpriced, leadsToOrders }: Props) {
  if (!unpriced && !leadsToOrders) return <ErrorText>{sentence}</ErrorText>;
  const myOrders = <Link to="/dashboard/myorder">{unpriced ? 'My Orders' : 'Go to My Orders'}</Link>;
  return (
    <NoticeBox>
      <ErrorText>{sentence}</ErrorText>
      <p>{unpriced ? <>We may offer you a price for it. You can delete it in {myOrders}.</> : myOrders}</p>
    </NoticeBox>
  );
}
