import { useParams } from 'react-router-dom';
import { useGetOrderQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { failureOf } from '../../contract/problem';
import { ButtonLink } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { Notice } from '../../ui/Notice';
import { Muted, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { Spinner } from '../../ui/Spinner';
import { DeleteOrder } from './DeleteOrder';
import { PaymentReceived } from './PaymentReceived';
import { PayByCard } from './PayByCard';
import { Sheet } from './paymentStyle';
import { PaymentRefunded } from './PaymentRefunded';
import { usePaymentRecord, type PaymentRecord } from './usePayment';

const LOOK_AGAIN_MS = 3000;

const NoSuchOrder = () => (
  <Notice title="Order not found">
    <p>There is no such order. It may have been deleted.</p>
    <ButtonLink to="/dashboard/myorder">My Orders</ButtonLink>
  </Notice>
);

function Unpriced({ order }: { order: Order }) {
  return (
    <Notice title={order.productName}>
      <Muted>This order was recorded without a price: it cannot be paid.</Muted>
      <DeleteOrder order={order} />
    </Notice>
  );
}

function Payment({ order, record }: { order: Order; record: PaymentRecord }) {
  if (order.paid || record.transactionId) return <PaymentReceived order={order} record={record} />;
  if (order.price === null) return <Unpriced order={order} />;
  if (record.isTelling) return <Spinner label="Looking for your payment" />;
  return <PayByCard order={order} onPaid={record.paid} />;
}

function PaymentOf({ id }: { id: string }) {
  const record = usePaymentRecord(id);
  const order = useGetOrderQuery(id);
  const untold = record.transactionId !== undefined && !record.isTelling && record.failed;
  const settled = order.data?.paid || record.returnCode !== undefined;
  useGetOrderQuery(id, { skip: !untold || settled, pollingInterval: LOOK_AGAIN_MS });

  if (record.returnCode !== undefined) return <PaymentRefunded code={record.returnCode} />;
  const gone = failureOf(order.error).status === 404 && !record.transactionId;
  if (gone) return record.isTelling ? <Spinner /> : <NoSuchOrder />;
  return <QueryView query={order}>{(found) => <Payment order={found} record={record} />}</QueryView>;
}

export default function PaymentPage() {
  const { id = '' } = useParams();
  return (
    <Sheet>
      <Head title={SPEC_MESSAGES.completePayment} description="Pay for your order by card." path="/" noindex />
      <PageTitle>{SPEC_MESSAGES.completePayment}</PageTitle>
      <PaymentOf key={id} id={id} />
    </Sheet>
  );
}
