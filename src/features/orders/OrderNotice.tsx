import { Link } from 'react-router-dom';
import { ErrorText } from '../../ui/page';
import { NoticeBox } from './purchaseStyle';
import type { PurchaseOutcome } from './usePurchaseForm';

/** Shows the outcome of the last request. If the order can't be paid, also says where to delete it. */
export function OrderNotice({ sentence, unpriced }: Pick<PurchaseOutcome, 'sentence' | 'unpriced'>) {
  if (!unpriced) return <ErrorText>{sentence}</ErrorText>;
  return (
    <NoticeBox>
      <ErrorText>{sentence}</ErrorText>
      <p>
        We may offer you a price for it. You can delete it in <Link to="/dashboard/myorder">My Orders</Link>.
      </p>
    </NoticeBox>
  );
}
