import { useDeferredValue, useState, type ComponentProps } from 'react';
import { formatShownCount } from '../../../contract/formatCount';
import type { ListedUser } from '../../../contract/entities';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { Notice } from '../../../ui/Notice';
import { Stack } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import { StatusMessage } from './usersStyle';
import { UserTable } from './UserTable';

const REMOVE_NOTE_ID = 'remove-user-note';

const filterByEmail = (rows: ListedUser[], typed: string) => {
  const fragment = typed.trim().toLowerCase();
  return fragment === '' ? rows : rows.filter(({ email }) => email.includes(fragment));
};

interface Props extends Pick<ComponentProps<typeof UserTable>, 'onPromote' | 'onUndo'> {
  rows: ListedUser[];
}

export function UserList({ rows, onPromote, onUndo }: Props) {
  const [filter, setFilter] = useState('');
  const [userNotRemoved, setUserNotRemoved] = useState<ListedUser>();
  const found = filterByEmail(rows, useDeferredValue(filter));
  return (
    <Stack>
      <SearchField
        label="Find by email"
        value={filter}
        onType={setFilter}
        result={formatShownCount(found.length, rows.length, 'user')}
      />
      <StatusMessage role="status">
        {userNotRemoved && `${PAGE_MESSAGES.removeUserUnavailable} ${userNotRemoved.email} was not removed.`}
      </StatusMessage>
      <p id={REMOVE_NOTE_ID} hidden>
        {PAGE_MESSAGES.removeUserUnavailable}
      </p>
      {found.length === 0 ? (
        <Notice title="No user matches this email">
          <p>Try a shorter part of it.</p>
        </Notice>
      ) : (
        <UserTable
          rows={found}
          onPromote={onPromote}
          onUndo={onUndo}
          onRemove={setUserNotRemoved}
          removeNoteId={REMOVE_NOTE_ID}
        />
      )}
    </Stack>
  );
}
