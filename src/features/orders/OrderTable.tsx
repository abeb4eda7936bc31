import { memo, useDeferredValue, useMemo } from 'react';
import type { Order } from '../../contract/entities';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { Table, type Column } from '../../ui/Table';
import { PaymentCell } from './PaymentCell';
import { ProductCell } from './ProductCell';

type Props = { rows: readonly Order[]; onDelete: (order: Order) => void };

const NUMBER_WIDTH = 'minmax(8.25rem, 1fr)';

const columnsFor = (onDelete: Props['onDelete']): Column<Order>[] => [
  { label: 'Number', align: 'end', width: '5.5rem', card: 'plain', cell: (_order, index) => index + 1 },
  { label: 'Product Name', width: 'minmax(0, 4fr)', card: 'line', cell: (order) => <ProductCell order={order} /> },
  {
    label: 'Price Per Item',
    align: 'end',
    width: NUMBER_WIDTH,
    cell: ({ price }) => (price === null ? 'Not priced' : formatDollars(price)),
  },
  {
    label: 'Total Product',
    align: 'end',
    width: NUMBER_WIDTH,
    cell: ({ totalQuantity }) => formatWithCommas(totalQuantity),
  },
  {
    label: 'Payment',
    width: '8.5rem',
    card: 'plain',
    cell: (order) => <PaymentCell order={order} onDelete={onDelete} />,
  },
];

const NO_ORDERS: readonly Order[] = [];
const keyOf = ({ _id }: Order) => _id;

/**
 * Memoized, and rendered with a deferred value, so that a long list does not delay the response to a key press or
 * click.
 */
export const OrderTable = memo(function OrderTable({ rows, onDelete }: Props) {
  const columns = useMemo(() => columnsFor(onDelete), [onDelete]);
  const deferredRows = useDeferredValue(rows, NO_ORDERS);
  return <Table caption="My Orders" columns={columns} rows={deferredRows} rowKey={keyOf} />;
});
