import styled from 'styled-components';
import { formatCount } from '../../contract/formatCount';
import type { Order } from '../../contract/entities';
import { orderNumber } from '../../contract/orderNumber';
import { CheckboxLabel } from '../../ui/CheckboxLabel';
import { Field } from '../../ui/Field';
import { MutedText } from '../../ui/page';
import { space } from '../../ui/theme';

/** A shorter list of orders has no filter. */
export const MIN_ORDERS_FOR_FILTER = 8;

export interface OrderSearch {
  text: string;
  isUnpaidOnly: boolean;
}

export const NO_SEARCH: OrderSearch = { text: '', isUnpaidOnly: false };

const normalize = (text: string) => text.trim().toLowerCase();

/** Without a filter, returns the same array, so that the memoized table is not rendered again. */
export function filterOrders(rows: readonly Order[], { text, isUnpaidOnly }: OrderSearch): readonly Order[] {
  const wanted = normalize(text);
  if (!wanted && !isUnpaidOnly) return rows;
  const matches = ({ _id, productName, reference, invoice, status }: Order) =>
    normalize([productName, orderNumber(_id), reference, invoice].join('\n')).includes(wanted) &&
    (!isUnpaidOnly || status === 'unpaid' || status === 'unpriced');
  return rows.filter(matches);
}

const Bar = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 220px), max-content));
  align-items: end;
  gap: ${space(2)} ${space(6)};
  > p {
    grid-column: 1 / -1;
  }
`;

type Props = { search: OrderSearch; found: number; onChange: (search: OrderSearch) => void };

export function OrderFilter({ search, found, onChange }: Props) {
  const isFiltered = search.isUnpaidOnly || search.text.trim() !== '';
  return (
    <Bar role="search" aria-label="My Orders">
      <Field
        label="Find an order"
        type="search"
        autoComplete="off"
        value={search.text}
        onChange={(event) => onChange({ ...search, text: event.target.value })}
      />
      <CheckboxLabel>
        <input
          type="checkbox"
          checked={search.isUnpaidOnly}
          onChange={(event) => onChange({ ...search, isUnpaidOnly: event.target.checked })}
        />
        Unpaid only
      </CheckboxLabel>
      <MutedText role="status">{isFiltered && `Found ${formatCount(found, 'order')}.`}</MutedText>
    </Bar>
  );
}
