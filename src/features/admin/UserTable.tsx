import { memo, useMemo } from 'react';
import type { ListedUser } from '../../contract/entities';
import { Table, type Column } from '../../ui/Table';
import { Address, IsAdmin, NotVerified, Small, Who } from './usersStyle';

type Props = {
  rows: ListedUser[];
  onPromote: (user: ListedUser) => void;
  onRemove: (user: ListedUser) => void;
  /** The id of what is said of the button that removes nobody. */
  removeNote: string;
};

const columnsFor = ({ onPromote, onRemove, removeNote }: Omit<Props, 'rows'>): Column<ListedUser>[] => [
  {
    label: 'Email',
    cell: ({ email, verified }) => (
      <Who>
        <Address>{email}</Address>
        {!verified && <NotVerified>Not verified</NotVerified>}
      </Who>
    ),
  },
  {
    label: 'Make Admin',
    width: '11rem',
    cell: (user) =>
      user.role === 'admin' ? (
        <IsAdmin>Admin</IsAdmin>
      ) : (
        <Small variant="quiet" aria-label={`Make Admin: ${user.email}`} onClick={() => onPromote(user)}>
          Make Admin
        </Small>
      ),
  },
  {
    label: 'Remove User',
    width: '11.5rem',
    cell: (user) => (
      <Small
        variant="quiet"
        aria-label={`Remove User: ${user.email}`}
        aria-describedby={removeNote}
        onClick={() => onRemove(user)}
      >
        Remove User
      </Small>
    ),
  },
];

const keyOf = ({ _id }: ListedUser) => _id;

/** Apart from its page, so that neither the dialog nor a key pressed in the search draws its rows again. */
export const UserTable = memo(function UserTable({ rows, onPromote, onRemove, removeNote }: Props) {
  const columns = useMemo(() => columnsFor({ onPromote, onRemove, removeNote }), [onPromote, onRemove, removeNote]);
  return <Table caption="All Users" columns={columns} rows={rows} rowKey={keyOf} />;
});
