import type { ListedUser, User } from '../../src/contract/entities';
import type { users } from '../db/schema';

type Known = Pick<typeof users.$inferSelect, 'id' | 'email' | 'role'>;

type Listed = Known & Pick<typeof users.$inferSelect, 'emailVerified'>;

export const shownUser = ({ id, email, role }: Known): User => ({ _id: id, email: email ?? '', role });

export const listedUser = ({ emailVerified, ...user }: Listed): ListedUser => ({
  ...shownUser(user),
  verified: emailVerified,
});
