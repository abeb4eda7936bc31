import { memo, useMemo } from 'react';
import type { User } from '../../contract/entities';
import { Table, type Column } from '../../ui/Table';
import { Address, IsAdmin, Small } from './usersStyle';

type Props = {
  rows: User[];
  onPromote: (user: User) => void;
  onRemove: (user: User) => void;
  /** The id of what is said of the button that removes nobody. */
  removeNote: string;
};

const columnsFor = ({ onPromote, onRemove, removeNote }: Omit<Props, 'rows'>): Column<User>[] => [
  { label: 'Email', cell: ({ email }) => <Address>{email}</Address> },
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

const keyOf = ({ _id }: User) => _id;

/** Apart from its page, so that neither the dialog nor a key pressed in the search draws its rows again. */
export const UserTable = memo(function UserTable({ rows, onPromote, onRemove, removeNote }: Props) {
  const columns = useMemo(() => columnsFor({ onPromote, onRemove, removeNote }), [onPromote, onRemove, removeNote]);
  return <Table caption="All Users" columns={columns} rows={rows} rowKey={keyOf} />;
});
