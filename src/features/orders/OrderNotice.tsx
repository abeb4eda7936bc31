import { Link } from 'react-router-dom';
import { ErrorText } from '../../ui/page';
import { NoticeBox } from './purchaseStyle';
import type { PurchaseOutcome } from './usePurchaseForm';

/** What became of the last request. A saved order that can't be paid can be deleted. */
export function OrderNotice({ sentence, unpriced }: Pick<PurchaseOutcome, 'sentence' | 'unpriced'>) {
  if (!unpriced) return <ErrorText>{sentence}</ErrorText>;
  return (
    <NoticeBox>
      <ErrorText>{sentence}</ErrorText>
      <p>
        You can delete it in <Link to="/dashboard/myorder">My Orders</Link>.
      </p>
    </NoticeBox>
  );
}
