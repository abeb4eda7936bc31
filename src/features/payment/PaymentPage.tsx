import { useParams } from 'react-router-dom';
import { useGetOrderQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { formatCount } from '../../contract/formatCount';
import { orderNumber } from '../../contract/orderNumber';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { failureOf } from '../../contract/problem';
import { ButtonLink } from '../../ui/Button';
import { Day } from '../../ui/DateTime';
import { Head } from '../../ui/Head';
import { Notice } from '../../ui/Notice';
import { MutedText, PageTitle, VisuallyHidden } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { Spinner } from '../../ui/Spinner';
import { DeleteOrder } from './DeleteOrder';
import { PaymentReceived } from './PaymentReceived';
import { PayByCard } from './PayByCard';
import { PaymentSections } from './paymentStyle';
import { PaymentRefunded } from './PaymentRefunded';
import { hasReceipt, Receipt } from './Receipt';
import { usePaymentRecord, type PaymentRecord } from './usePayment';

/** For a payment that the server may record at any moment. */
const RECORD_POLL_MS = 3000;
const SHIPMENT_POLL_MS = 30_000;

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
      <MutedText>
        When you ordered, the stock or a limit didn&apos;t allow this quantity. If we can offer you a price, you can pay
        here. You can also choose another quantity now.
      </MutedText>
      <p>
        {orderNumber(order._id)} · <Day at={order.placedAt} /> · {formatCount(order.totalQuantity, 'piece')}
      </p>
      <ButtonLink to={`/purchase/${order.toolId}`}>Choose another quantity</ButtonLink>
      <DeleteOrder order={order} />
    </Notice>
  );
}

/**
 * Whether the customer has paid on this page, or on an earlier visit that could not report the payment. The server may
 * not have recorded it yet.
 */
function isJustPaid({ status, transactionId }: Order, record: PaymentRecord): boolean {
  if (status === 'refunded') return false;
  return record.transactionId !== undefined || (transactionId !== undefined && transactionId === record.unreportedId);
}

const isPayable = (order: Order, record: PaymentRecord) =>
  order.status !== 'unpriced' && !isJustPaid(order, record) && !hasReceipt(order);

function Payment({ order, record }: { order: Order; record: PaymentRecord }) {
  if (isJustPaid(order, record)) return <PaymentReceived order={order} record={record} />;
  if (hasReceipt(order)) return <Receipt order={order} />;
  if (order.status === 'unpriced') return <UnpricedOrder order={order} />;
  if (record.isSending) return <Spinner label="Checking your payment" />;
  return <PayByCard order={order} onPaid={record.reportPaid} />;
}

function OrderPayment({ id, record }: { id: string; record: PaymentRecord }) {
  const order = useGetOrderQuery(id, { refetchOnMountOrArgChange: true });
  const hasReportFailed = record.transactionId !== undefined && !record.isSending && record.failed;
  const isOutcomeKnown = (order.data && hasReceipt(order.data)) || record.refundCode !== undefined;
  const waitsForRecord = hasReportFailed && !isOutcomeKnown;
  useGetOrderQuery(id, {
    skip: !waitsForRecord && order.data?.status !== 'paid',
    pollingInterval: waitsForRecord ? RECORD_POLL_MS : SHIPMENT_POLL_MS,
    skipPollingIfUnfocused: true,
  });

  if (record.refundCode !== undefined) return <PaymentRefunded code={record.refundCode} />;
  const isMissing = failureOf(order.error).status === 404 && !record.transactionId;
  if (isMissing) return record.isSending ? <Spinner /> : <OrderNotFound />;
  return <QueryView query={order}>{(found) => <Payment order={found} record={record} />}</QueryView>;
}

/**
 * The title is neutral until the order is loaded, because only the order shows whether it must be paid or has a
 * receipt.
 */
function PaymentTitle({ id, record }: { id: string; record: PaymentRecord }) {
  const { data: order } = useGetOrderQuery(id);
  const isPayment = order && isPayable(order, record);
  const title = isPayment ? SPEC_MESSAGES.completePayment : order?.invoice ? `Invoice ${order.invoice}` : 'Your order';
  const description = isPayment ? 'Pay for your order by card.' : 'What you ordered, its payment and its shipment.';
  return (
    <>
      <Head title={title} description={description} path="/" noindex />
      {order ? <PageTitle>{title}</PageTitle> : <VisuallyHidden as="h1">{title}</VisuallyHidden>}
    </>
  );
}

function OrderPage({ id }: { id: string }) {
  const record = usePaymentRecord(id);
  return (
    <PaymentSections>
      <PaymentTitle id={id} record={record} />
      <OrderPayment id={id} record={record} />
    </PaymentSections>
  );
}

/** Lets the customer pay an order. After that, it shows the receipt. */
export default function PaymentPage() {
  const { id = '' } = useParams();
  return <OrderPage key={id} id={id} />;
}
