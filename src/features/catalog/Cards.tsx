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

/** One list to whoever hears it; to the browser groups, which it skips while they are out of sight. */
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
