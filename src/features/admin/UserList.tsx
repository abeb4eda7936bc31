import { useDeferredValue, useState } from 'react';
import type { ListedUser } from '../../contract/entities';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Field } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { Stack } from '../../ui/page';
import { Said, Search } from './usersStyle';
import { UserTable } from './UserTable';

const REMOVE_NOTE = 'remove-user-note';

const matching = (rows: ListedUser[], wanted: string) => {
  const part = wanted.trim().toLowerCase();
  return part === '' ? rows : rows.filter(({ email }) => email.includes(part));
};

const countLine = (shown: number, all: number) =>
  shown === all ? `${all} ${all === 1 ? 'user' : 'users'}` : `${shown} of ${all} users`;

/** Among ten thousand one looks for somebody by a part of the address. */
export function UserList({ rows, onPromote }: { rows: ListedUser[]; onPromote: (user: ListedUser) => void }) {
  const [wanted, setWanted] = useState('');
  const [spared, setSpared] = useState<ListedUser>();
  const found = matching(rows, useDeferredValue(wanted));
  return (
    <Stack>
      <Search>
        <Field
          label="Find by email"
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          hint={<span role="status">{countLine(found.length, rows.length)}</span>}
        />
      </Search>
      <Said role="status">{spared && `${PAGE_MESSAGES.removeUserClosed} ${spared.email} stays.`}</Said>
      <p id={REMOVE_NOTE} hidden>
        {PAGE_MESSAGES.removeUserClosed}
      </p>
      {found.length === 0 ? (
        <Notice title="Nobody has such an email" />
      ) : (
        <UserTable rows={found} onPromote={onPromote} onRemove={setSpared} removeNote={REMOVE_NOTE} />
      )}
    </Stack>
  );
}
