import { memo, type ReactNode } from 'react';
import { Stack } from '../../ui/page';
import { useIncrementalList, type ListOptions } from '../../ui/useIncrementalList';
import { Grid, CARDS_PER_GROUP } from './cardStyle';

type CardsProps<T> = {
  rows: readonly T[];
  card: (row: T, index: number) => ReactNode;
  /** Whether phones show the cards in two columns instead of one. */
  compact?: boolean;
} & Omit<ListOptions, 'loadMore'>;
type GroupProps<T> = Pick<CardsProps<T>, 'rows' | 'card' | 'compact'> & { from: number; to: number };

const Group = <T,>({ rows, card, compact = false, from, to }: GroupProps<T>) => (
  <Grid role="presentation" $compact={compact}>
    {rows.slice(from, to).map((row, n) => card(row, from + n))}
  </Grid>
);

const CardGroup = memo(Group) as typeof Group;

const CardList = <T,>({ rows, card, compact, ...options }: CardsProps<T>) => {
  const { groups, sentinel } = useIncrementalList(rows.length, CARDS_PER_GROUP, options);
  return (
    <Stack $gap={6} role="list">
      {groups.map((range) => (
        <CardGroup key={range.from} rows={rows} card={card} compact={compact} {...range} />
      ))}
      {sentinel}
    </Stack>
  );
};

/**
 * The cards are in groups, so that the browser can skip groups out of view. For screen readers, they are a single list.
 * Memoized, because each key press in the search field above renders their parent again.
 */
export const Cards = memo(CardList) as typeof CardList;
