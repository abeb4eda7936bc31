import { memo, useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { ListedUser } from '../../../contract/entities';
import { selectPromoted } from '../../../session/adminSlice';
import { EmailText } from '../../../ui/EmailText';
import { Table, type Column } from '../../../ui/Table';
import { Address, AdminLabel, NotVerified, CompactButton, EmailCell } from './usersStyle';

type Props = {
  rows: ListedUser[];
  onPromote: (user: ListedUser) => void;
  /** Takes back a promotion of this visit. */
  onUndo: (user: ListedUser) => void;
  onRemove: (user: ListedUser) => void;
  /** The id of the text that explains why Remove User does nothing, for the `aria-describedby` of these buttons. */
  removeNoteId: string;
};

const columnsFor = (
  { onPromote, onUndo, onRemove, removeNoteId }: Omit<Props, 'rows'>,
  promoted: string[],
): Column<ListedUser>[] => [
  {
    label: 'Email',
    card: 'line',
    cell: ({ email, verified }) => (
      <EmailCell>
        <Address>
          <EmailText email={email} />
        </Address>
        {!verified && <NotVerified>Not verified</NotVerified>}
      </EmailCell>
    ),
  },
  {
    label: 'Make Admin',
    width: '11rem',
    card: 'plain',
    cell: (user) =>
      user.role === 'admin' ? (
        <>
          <AdminLabel>Admin</AdminLabel>
          {promoted.includes(user.email) && (
            <CompactButton variant="quiet" aria-label={`Undo Make Admin: ${user.email}`} onClick={() => onUndo(user)}>
              Undo
            </CompactButton>
          )}
        </>
      ) : (
        <CompactButton variant="quiet" aria-label={`Make Admin: ${user.email}`} onClick={() => onPromote(user)}>
          Make Admin
        </CompactButton>
      ),
  },
  {
    label: 'Remove User',
    width: '11.5rem',
    card: 'plain',
    cell: (user) => (
      <CompactButton
        variant="quiet"
        aria-label={`Remove User: ${user.email}`}
        aria-describedby={removeNoteId}
        onClick={() => onRemove(user)}
      >
        Remove User
      </CompactButton>
    ),
  },
];

const keyOf = ({ _id }: ListedUser) => _id;

/** Memoized, so that rows are not rendered again when a dialog opens or the admin types a search. */
export const UserTable = memo(function UserTable({ rows, onPromote, onUndo, onRemove, removeNoteId }: Props) {
  const promoted = useSelector(selectPromoted);
  const columns = useMemo(
    () => columnsFor({ onPromote, onUndo, onRemove, removeNoteId }, promoted),
    [onPromote, onUndo, onRemove, removeNoteId, promoted],
  );
  return <Table caption="All Users" columns={columns} rows={rows} rowKey={keyOf} />;
});
