import { createContext, useContext } from 'react';
import { useSelector } from 'react-redux';
import { selectAdmin } from './adminSlice';
import { selectAuth } from './authSlice';

/** Who is signed in. `isAdmin` is the server's last answer. */
export function useSession() {
  const auth = useSelector(selectAuth);
  const admin = useSelector(selectAdmin);
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

/** What a person can do about their session. A failure rejects with a sentence for them, or with the API's error. */
export interface SessionCommands {
  /** Fetches what the other commands need, so that a click finds it there. */
  prepare(): void;
  signIn(email: string, password: string): Promise<void>;
  /** Creates the account. The session starts with `rename`, which gives it its name. */
  signUp(email: string, password: string): Promise<void>;
  rename(displayName: string): Promise<void>;
  signInWithGoogle(): Promise<void>;
  resetPassword(email: string): Promise<void>;
  signOut(): Promise<void>;
}

export const SessionCommandsContext = createContext({} as SessionCommands);

export const useSessionCommands = () => useContext(SessionCommandsContext);
