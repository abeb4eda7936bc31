import type { ListedUser, User } from '../../src/contract/entities';
import type { users } from '../db/schema';

type UserRow = Pick<typeof users.$inferSelect, 'id' | 'email' | 'role'>;

type ListedUserRow = UserRow & Pick<typeof users.$inferSelect, 'emailVerified'>;

export const toUser = ({ id, email, role }: UserRow): User => ({ _id: id, email: email ?? '', role });

export const toListedUser = ({ emailVerified, ...user }: ListedUserRow): ListedUser => ({
  ...toUser(user),
  verified: emailVerified,
});
