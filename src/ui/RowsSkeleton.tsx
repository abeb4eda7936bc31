import { Stack } from './page';
import { Skeleton } from './Skeleton';
import { Spinner } from './Spinner';

/** Shown while a list is loading. */
export const RowsSkeleton = ({ label, height, rows = 6 }: { label: string; height: string; rows?: number }) => (
  <Stack $gap={2}>
    <Spinner label={label} />
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} $height={height} />
    ))}
  </Stack>
);
