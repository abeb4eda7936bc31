import { useParams } from 'react-router-dom';
import { useGetOrderQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { failureOf } from '../../contract/problem';
import { ButtonLink } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { Notice } from '../../ui/Notice';
import { MutedText, PageTitle } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { Spinner } from '../../ui/Spinner';
import { DeleteOrder } from './DeleteOrder';
import { PaymentReceived } from './PaymentReceived';
import { PayByCard } from './PayByCard';
import { Sheet } from './paymentStyle';
import { PaymentRefunded } from './PaymentRefunded';
import { usePaymentRecord, type PaymentRecord } from './usePayment';

const POLL_MS = 3000;

const OrderNotFound = () => (
  <Notice title="Order not found">
    <p>It may have been deleted.</p>
    <ButtonLink to="/dashboard/myorder">My Orders</ButtonLink>
  </Notice>
);

function UnpricedOrder({ order }: { order: Order }) {
  return (
    <Notice title={order.productName}>
      <MutedText>{PAGE_MESSAGES.orderUnpriced}</MutedText>
      <DeleteOrder order={order} />
    </Notice>
  );
}

function Payment({ order, record }: { order: Order; record: PaymentRecord }) {
  if (order.paid || record.transactionId) return <PaymentReceived order={order} record={record} />;
  if (order.price === null) return <UnpricedOrder order={order} />;
  if (record.isSending) return <Spinner label="Checking your payment" />;
  return <PayByCard order={order} onPaid={record.reportPaid} />;
}

function OrderPayment({ id }: { id: string }) {
  const record = usePaymentRecord(id);
  const order = useGetOrderQuery(id);
  const isUnrecorded = record.transactionId !== undefined && !record.isSending && record.failed;
  const isSettled = order.data?.paid || record.refundCode !== undefined;
  useGetOrderQuery(id, { skip: !isUnrecorded || isSettled, pollingInterval: POLL_MS });

  if (record.refundCode !== undefined) return <PaymentRefunded code={record.refundCode} />;
  const isMissing = failureOf(order.error).status === 404 && !record.transactionId;
  if (isMissing) return record.isSending ? <Spinner /> : <OrderNotFound />;
  return <QueryView query={order}>{(found) => <Payment order={found} record={record} />}</QueryView>;
}

export default function PaymentPage() {
  const { id = '' } = useParams();
  return (
    <Sheet>
      <Head title={SPEC_MESSAGES.completePayment} description="Pay for your order by card." path="/" noindex />
      <PageTitle>{SPEC_MESSAGES.completePayment}</PageTitle>
      <OrderPayment key={id} id={id} />
    </Sheet>
  );
}
