import { memo, type ReactNode } from 'react';
import { Stack } from '../../ui/page';
import { useIncrementalList } from '../../ui/useIncrementalList';
import { Grid, GROUP_CARDS } from './cardStyle';

type CardsProps<T> = { rows: readonly T[]; card: (row: T) => ReactNode; first?: number };
type GroupProps<T> = Pick<CardsProps<T>, 'rows' | 'card'> & { from: number; to: number };

const Group = <T,>({ rows, card, from, to }: GroupProps<T>) => (
  <Grid role="presentation">{rows.slice(from, to).map(card)}</Grid>
);

const CardGroup = memo(Group) as typeof Group;

/** Screen readers get one list. The browser gets groups, and skips rendering those that are out of view. */
export function Cards<T>({ rows, card, first }: CardsProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, GROUP_CARDS, first);
  return (
    <Stack $gap={6} role="list">
      {groups.map((range) => (
        <CardGroup key={range.from} rows={rows} card={card} {...range} />
      ))}
      {sentinel}
    </Stack>
  );
}
