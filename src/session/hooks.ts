import { createContext, useContext } from 'react';
import { useSelector } from 'react-redux';
import { selectAdmin } from './adminSlice';
import { selectAuth } from './authSlice';
import type { Person } from './identity';

const NOBODY: Person = { displayName: '', email: '', emailVerified: false, hasPassword: false };

/** The current user. If nobody is signed in, name and email are empty strings. */
export function useSession() {
  const auth = useSelector(selectAuth);
  const admin = useSelector(selectAdmin);
  return {
    ...NOBODY,
    ...auth,
    admin,
    isAdmin: admin === 'admin',
    signedOutAtKey: auth.status === 'signedOut' ? auth.signedOutAtKey : undefined,
  };
}

/** A failed command rejects with an error of the API, or with one whose message can be shown to the user. */
export interface SessionCommands {
  /** Loads the session's chunk in advance, so that a click does not have to wait for it. */
  prepare(): void;
  signIn(email: string, password: string): Promise<void>;
  /** Creates the account without a name. The session starts once `rename` has set the name. */
  signUp(email: string, password: string): Promise<void>;
  rename(displayName: string): Promise<void>;
  signInWithGoogle(): Promise<void>;
  requestPasswordReset(email: string): Promise<void>;
  /** Sends the current user the link that verifies the email, at most once a minute. */
  sendVerification(email: string): Promise<void>;
  /** Ends the user's sessions on all other devices. */
  changePassword(current: string, next: string): Promise<void>;
  signOut(): Promise<void>;
}

export const SessionCommandsContext = createContext({} as SessionCommands);

export const useSessionCommands = () => useContext(SessionCommandsContext);
