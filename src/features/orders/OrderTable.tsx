import { memo, useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router-dom';
import styled from 'styled-components';
import type { Order } from '../../contract/entities';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { Table, type Column } from '../../ui/Table';
import { color, size } from '../../ui/theme';
import { PaymentCell } from './PaymentCell';

const Product = styled.span`
  display: inline-grid;
  min-width: 0;
`;

const Unpayable = styled.span`
  color: ${color.muted};
  font-size: ${size.small};
`;

type Props = { rows: Order[]; onDelete: (order: Order) => void };

const ProductCell = ({ order: { _id, productName, status } }: { order: Order }) => (
  <Product>
    <Link to={`/dashboard/payment/${_id}`}>{productName}</Link>
    {status === 'unpriced' && <Unpayable>Can’t be paid</Unpayable>}
  </Product>
);

const columnsFor = (onDelete: Props['onDelete']): Column<Order>[] => [
  { label: 'Number', align: 'end', width: '6rem', cell: (_order, index) => index + 1 },
  { label: 'Product Name', width: 'minmax(0, 2fr)', cell: (order) => <ProductCell order={order} /> },
  {
    label: 'Price Per Item',
    align: 'end',
    cell: ({ price }) => (price === null ? 'No price' : `$ ${formatWithCommas(price)}`),
  },
  { label: 'Total Product', align: 'end', cell: ({ totalQuantity }) => formatWithCommas(totalQuantity) },
  { label: 'Payment', width: '9.5rem', cell: (order) => <PaymentCell order={order} onDelete={onDelete} /> },
];

const NONE: Order[] = [];
const keyOf = ({ _id }: Order) => _id;

/** Memoized, and rendered with a deferred value, so that many rows never block an interaction. */
export const OrderTable = memo(function OrderTable({ rows, onDelete }: Props) {
  const columns = useMemo(() => columnsFor(onDelete), [onDelete]);
  const deferredRows = useDeferredValue(rows, NONE);
  return <Table caption="My Orders" columns={columns} rows={deferredRows} rowKey={keyOf} />;
});
