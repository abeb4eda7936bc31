import type { User } from '../../src/contract/entities';
import type { users } from '../db/schema';

type Known = Pick<typeof users.$inferSelect, 'id' | 'email' | 'role'>;

export const shownUser = ({ id, email, role }: Known): User => ({ _id: id, email: email ?? '', role });
