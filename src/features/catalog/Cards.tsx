import { memo, type ReactNode } from 'react';
import { Stack } from '../../ui/page';
import { useIncrementalList } from '../../ui/useIncrementalList';
import { Grid, GROUP_CARDS } from './cardStyle';

type CardsProps<T> = {
  rows: readonly T[];
  card: (row: T) => ReactNode;
  first?: number;
  /** Two columns on phones. */
  compact?: boolean;
  /** Another text is another list, which starts with few cards again. */
  list?: string;
};
type GroupProps<T> = Pick<CardsProps<T>, 'rows' | 'card' | 'compact'> & { from: number; to: number };

const Group = <T,>({ rows, card, compact = false, from, to }: GroupProps<T>) => (
  <Grid role="presentation" $compact={compact}>
    {rows.slice(from, to).map(card)}
  </Grid>
);

const CardGroup = memo(Group) as typeof Group;

/** Screen readers get one list. The browser gets groups, and skips rendering those that are out of view. */
export function Cards<T>({ rows, card, first, compact, list }: CardsProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, GROUP_CARDS, first, undefined, list);
  return (
    <Stack $gap={6} role="list">
      {groups.map((range) => (
        <CardGroup key={range.from} rows={rows} card={card} compact={compact} {...range} />
      ))}
      {sentinel}
    </Stack>
  );
}
