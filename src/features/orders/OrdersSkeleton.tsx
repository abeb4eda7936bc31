import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Stack } from '../../ui/page';

export function OrdersSkeleton() {
  return (
    <Stack $gap={2}>
      <Spinner label="Loading your orders" />
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} $height="60px" />
      ))}
    </Stack>
  );
}
