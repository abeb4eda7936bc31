import { createContext, useContext } from 'react';

/** What a person can do about who they are. Each rejects with an error whose message is for people, or with the api's. */
export interface SessionActions {
  /** Fetches what the others need, so that a click finds it there. */
  prepare(): void;
  signIn(email: string, password: string): Promise<void>;
  /** Makes the account; the session begins when it has a name. */
  signUp(email: string, password: string): Promise<void>;
  rename(displayName: string): Promise<void>;
  signInWithGoogle(): Promise<void>;
  resetPassword(email: string): Promise<void>;
  signOut(): Promise<void>;
}

const notHere = () => Promise.reject(new Error('Nobody signs in here.'));

export const nobodysActions: SessionActions = {
  prepare: () => undefined,
  signIn: notHere,
  signUp: notHere,
  rename: notHere,
  signInWithGoogle: notHere,
  resetPassword: notHere,
  signOut: notHere,
};

export const SessionActionsContext = createContext(nobodysActions);

export const useSessionActions = () => useContext(SessionActionsContext);
