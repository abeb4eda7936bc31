import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useListUsersQuery, useMakeAdminMutation, useUndoMakeAdminMutation } from '../../../api/apiSlice';
import type { ListedUser } from '../../../contract/entities';
import { SPEC_MESSAGES } from '../../../contract/specMessages';
import { notify } from '../../../feedback/notify';
import { notifyFailure } from '../../../feedback/notifyFailure';
import { Head } from '../../../ui/Head';
import { PageTitle, Stack } from '../../../ui/page';
import { QueryView } from '../../../ui/QueryView';
import { RowsSkeleton } from '../../../ui/RowsSkeleton';
import { PromotionDialog } from './PromotionDialog';
import { UserList } from './UserList';

export default function AllUsersPage() {
  const users = useListUsersQuery(undefined, { refetchOnMountOrArgChange: true });
  const [makeAdmin, { isLoading }] = useMakeAdminMutation();
  const [undoMakeAdmin] = useUndoMakeAdminMutation();
  const [userToPromote, setUserToPromote] = useState<ListedUser>();
  const title = useRef<HTMLHeadingElement>(null);

  /** Moves the focus to the title, because the pressed button disappears once its user is an admin. */
  async function promote({ email }: ListedUser) {
    const { error } = await makeAdmin(email);
    flushSync(() => setUserToPromote(undefined));
    if (error) return notifyFailure(error);
    notify.success(SPEC_MESSAGES.adminMade);
    title.current?.focus();
  }

  const undo = useCallback(
    async ({ email }: ListedUser) => {
      const { error } = await undoMakeAdmin(email);
      if (error) return notifyFailure(error);
      notify.success(`${email} is no longer an admin.`, true);
      title.current?.focus();
    },
    [undoMakeAdmin],
  );

  return (
    <Stack $gap={6}>
      <Head title="All Users" description="Everyone who has logged in." path="/dashboard/allusers" noindex />
      <PageTitle ref={title} tabIndex={-1}>
        All Users
      </PageTitle>
      <QueryView query={users} loading={<RowsSkeleton label="Loading the users" height="69px" />}>
        {(rows) => <UserList rows={rows} onPromote={setUserToPromote} onUndo={undo} />}
      </QueryView>
      <PromotionDialog
        user={userToPromote}
        busy={isLoading}
        onConfirm={promote}
        onCancel={() => setUserToPromote(undefined)}
      />
    </Stack>
  );
}
