import { Fragment, memo, useMemo, type ReactNode } from 'react';
import type { Order } from '../../../contract/entities';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { keepUnitsTogether } from '../../../contract/keepUnitsTogether';
import { describeRefund } from '../../../contract/refunds';
import { describeOrder } from '../../../contract/describeOrder';
import { Day } from '../../../ui/DateTime';
import { EmailText } from '../../../ui/EmailText';
import { Table, type Column } from '../../../ui/Table';
import { STATUS_LABELS } from './orderStatus';
import { formatOrderTotal } from './orderMessages';
import { WarningText, StatusText, OrderToggle, TwoLineText } from './ordersStyle';
import { toggleId } from './useOrderUpdates';

export const detailsId = (orderId: string) => `details-${orderId}`;

function warningOf(order: Order): string | undefined {
  const { status, dispute, refundFailed, refundRequested, refundedCents: cents, refundedPieces: pieces = 0 } = order;
  if (refundFailed) return 'Refund failed';
  if (refundRequested) return 'Being refunded';
  if (dispute) return dispute === 'open' ? 'Disputed' : `Dispute ${dispute}`;
  return cents && status !== 'refunded' ? describeRefund({ cents, pieces }, order) : undefined;
}

function StatusCell({ order }: { order: Order }) {
  const warning = warningOf(order);
  return (
    <TwoLineText>
      <StatusText data-status={order.status}>{STATUS_LABELS[order.status]}</StatusText>
      {warning && <WarningText>{warning}</WarningText>}
    </TwoLineText>
  );
}

const nameAndEmail = ({ client, email }: Order) => [...new Set([client || email, email])];

type ToggleOrder = (id: string, isOpen: boolean) => void;

const columnsFor = (onToggle: ToggleOrder): Column<Order>[] => [
  {
    label: 'Date',
    width: '7.75rem',
    nowrap: true,
    card: 'plain',
    cell: ({ placedAt }) => <Day at={placedAt} />,
  },
  {
    label: 'Customer',
    width: 'minmax(0, 5fr)',
    card: 'line',
    cell: (order, _index, isOpen) => (
      <OrderToggle
        type="button"
        id={toggleId(order._id)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId(order._id) : undefined}
        aria-label={`${nameAndEmail(order).join(' ')}: ${describeOrder(order)}`}
        onClick={() => onToggle(order._id, isOpen)}
      >
        <TwoLineText>
          {nameAndEmail(order).map((line) => (
            <Fragment key={line}>
              <bdi>
                <EmailText email={line} />
              </bdi>{' '}
            </Fragment>
          ))}
        </TwoLineText>
      </OrderToggle>
    ),
  },
  {
    label: 'Product',
    width: 'minmax(0, 4fr)',
    card: 'line',
    cell: ({ productName }) => <bdi>{keepUnitsTogether(productName)}</bdi>,
  },
  {
    label: 'Quantity',
    width: '6.5rem',
    align: 'end',
    cell: ({ totalQuantity }) => formatWithCommas(totalQuantity),
  },
  {
    label: 'Total',
    width: '6.75rem',
    align: 'end',
    nowrap: true,
    cell: formatOrderTotal,
  },
  { label: 'Status', width: '7.75rem', card: 'plain', cell: (order) => <StatusCell order={order} /> },
];

const keyOf = ({ _id }: Order) => _id;

type Props = {
  rows: readonly Order[];
  opened: { key: string; details: ReactNode } | undefined;
  onToggle: ToggleOrder;
  loadMore: (() => void) | undefined;
};

export const OrderRows = memo(function OrderRows({ rows, opened, onToggle, loadMore }: Props) {
  const columns = useMemo(() => columnsFor(onToggle), [onToggle]);
  return <Table caption="Orders" columns={columns} rows={rows} rowKey={keyOf} opened={opened} loadMore={loadMore} />;
});
