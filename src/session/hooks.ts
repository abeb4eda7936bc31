import { useSelector } from 'react-redux';
import { selectAdmin } from './adminSlice';
import { selectAuth } from './authSlice';
import type { RootState } from '../app/store';

export const useAppSelector = useSelector.withTypes<RootState>();

/** Who is here. `isAdmin` is the server's last answer. */
export function useSession() {
  const auth = useAppSelector(selectAuth);
  const admin = useAppSelector(selectAdmin);
  const person = auth.status === 'signedIn' ? auth : { displayName: '', email: '' };
  return {
    status: auth.status,
    displayName: person.displayName,
    email: person.email,
    admin,
    isAdmin: admin === 'admin',
    leftAt: auth.status === 'signedOut' ? auth.leftAt : undefined,
  };
}
