import { memo, type ReactNode } from 'react';
import { useIncrementalList, type ListOptions } from '../../ui/useIncrementalList';
import { Grid, CARDS_PER_GROUP } from './cardStyle';

type CardsProps<T> = {
  rows: readonly T[];
  card: (row: T) => ReactNode;
} & Omit<ListOptions, 'loadMore'>;
type GroupProps<T> = Pick<CardsProps<T>, 'rows' | 'card'> & { from: number; to: number };

const Group = <T,>({ rows, card, from, to }: GroupProps<T>) => (
  <Grid role="presentation">{rows.slice(from, to).map(card)}</Grid>
);

const CardGroup = memo(Group) as typeof Group;

const CardList = <T,>({ rows, card, ...options }: CardsProps<T>) => {
  const { groups, sentinel } = useIncrementalList(rows.length, CARDS_PER_GROUP, options);
  return (
    <div role="list">
      {groups.map((range) => (
        <CardGroup key={range.from} rows={rows} card={card} {...range} />
      ))}
      {sentinel}
    </div>
  );
};

/**
 * The cards are in groups, so that the browser can skip groups out of view. For screen readers, they are a single list.
 * Memoized, because each key press in the search field above renders their parent again.
 */
export const Cards = memo(CardList) as typeof CardList;
