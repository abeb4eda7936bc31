import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Stack } from '../../ui/page';

export function ProfileSkeleton() {
  return (
    <Stack $gap={2}>
      <Spinner label="Loading your profile" />
      <Skeleton $height="560px" />
    </Stack>
  );
}
