import { createContext, useContext } from 'react';
import { useSelector } from 'react-redux';
import { selectAdmin } from './adminSlice';
import { selectAuth } from './authSlice';

/** The signed-in user. `isAdmin` is the server's last answer. */
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
    signedOutAtKey: auth.status === 'signedOut' ? auth.signedOutAtKey : undefined,
  };
}

/** A failure rejects with an error whose message can be shown to the user, or with the API's error. */
export interface SessionCommands {
  /** Loads the session chunk, so that a later click need not wait for it. */
  prepare(): void;
  signIn(email: string, password: string): Promise<void>;
  /** Creates the account. The session starts when `rename` sets its name. */
  signUp(email: string, password: string): Promise<void>;
  rename(displayName: string): Promise<void>;
  signInWithGoogle(): Promise<void>;
  resetPassword(email: string): Promise<void>;
  signOut(): Promise<void>;
}

export const SessionCommandsContext = createContext({} as SessionCommands);

export const useSessionCommands = () => useContext(SessionCommandsContext);
