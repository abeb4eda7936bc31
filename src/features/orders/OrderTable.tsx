import { memo, useDeferredValue, useMemo } from 'react';
import type { Order } from '../../contract/entities';
import { Table, type Column } from '../../ui/Table';
import { PaymentCell } from './PaymentCell';

type Props = { rows: Order[]; onDelete: (order: Order) => void };

const columnsFor = (onDelete: Props['onDelete']): Column<Order>[] => [
  { label: 'Number', align: 'end', width: '6rem', cell: (_order, index) => index + 1 },
  { label: 'Product Name', width: 'minmax(0, 2fr)', cell: ({ productName }) => productName },
  { label: 'Price Per Item', align: 'end', cell: ({ price }) => (price === null ? 'No price' : `$ ${price}`) },
  { label: 'Total Product', align: 'end', cell: ({ totalQuantity }) => totalQuantity },
  { label: 'Payment', width: '9.5rem', cell: (order) => <PaymentCell order={order} onDelete={onDelete} /> },
];

const NONE: Order[] = [];
const keyOf = ({ _id }: Order) => _id;

/** Apart from its page and a moment later, so that drawing many rows never keeps anyone waiting. */
export const OrderTable = memo(function OrderTable({ rows, onDelete }: Props) {
  const columns = useMemo(() => columnsFor(onDelete), [onDelete]);
  const drawn = useDeferredValue(rows, NONE);
  return <Table caption="My Orders" columns={columns} rows={drawn} rowKey={keyOf} />;
});
