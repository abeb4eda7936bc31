import { Link } from 'react-router-dom';
import { useGetProfileQuery, useListMyOrdersQuery } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import { Head } from '../../ui/Head';
import { FormWithAside } from '../../ui/formStyle';
import { MutedText, PageTitle, Stack } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';
import { PasswordSection } from './PasswordSection';
import { ProfileForm } from './ProfileForm';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { useBelowFoldReady } from '../../ui/useIncrementalList';

function ProfileSkeleton() {
  return (
    <Stack $gap={2}>
      <Spinner label="Loading your profile" />
      <Skeleton $height="560px" />
    </Stack>
  );
}

export default function ProfilePage() {
  const { email, isAdmin } = useSession();
  /** The menu of an admin has no My Orders. */
  const { data: ownOrders = [] } = useListMyOrdersQuery(email, { skip: !isAdmin });
  const isBelowFoldReady = useBelowFoldReady();
  const profile = useGetProfileQuery(email, { skip: email === '', refetchOnMountOrArgChange: true });
  return (
    <Stack $gap={6}>
      <Head title="My Profile" description="How we can reach you." path="/dashboard" noindex />
      <Stack $gap={2}>
        <PageTitle>My Profile</PageTitle>
        {!isAdmin && (
          <MutedText>
            We fill in this address and phone when you order. Until you save them, we use those of your last order.
          </MutedText>
        )}
      </Stack>
      <FormWithAside>
        <QueryView query={profile} loading={<ProfileSkeleton />}>
          {(saved) => <ProfileForm saved={saved} />}
        </QueryView>
        {isBelowFoldReady && <PasswordSection />}
      </FormWithAside>
      {ownOrders.length > 0 && isAdmin && (
        <p>
          You ordered tools yourself. They are in <Link to="/dashboard/myorder">My Orders</Link>.
        </p>
      )}
    </Stack>
  );
}
