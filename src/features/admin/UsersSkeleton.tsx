import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Stack } from '../../ui/page';

export function UsersSkeleton() {
  return (
    <Stack $gap={2}>
      <Spinner label="Loading the users" />
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} $height="69px" />
      ))}
    </Stack>
  );
}
