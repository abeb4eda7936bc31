import { setupListeners } from '@reduxjs/toolkit/query';
import { act, configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { readConfig, type AppConfig } from '../../src/config';
import { Root } from '../../src/app/Root';
import { createStore, type AppStore } from '../../src/app/store';
import { createLazySession, type LazySession } from '../../src/session/lazySession';
import { exchangeIdToken, newAccount, newEmail, PASSWORD } from './customers';
import { query } from './database';

interface Person {
  displayName: string;
  email: string;
  password: string;
}

interface App {
  config: AppConfig;
  session: LazySession;
  store: AppStore;
}

/** Long, because the first import of a lazy page compiles it. */
configure({ asyncUtilTimeout: 30_000 });

let app: App | undefined;

/**
 * Connects the parts of the app as `src/index.tsx` does, once per test file, because the identity provider has one
 * session per browser.
 */
async function openApp(): Promise<App> {
  if (app) return app;
  const html = await (await fetch('/login', { headers: { accept: 'text/html' } })).text();
  const config = readConfig(new DOMParser().parseFromString(html, 'text/html'));
  const session = createLazySession(() => import('../../src/session/session'), config);
  const store = createStore({ renew: session.renew });
  setupListeners(store.dispatch);
  session.start(store);
  return (app = { config, session, store });
}

/** Signs up a new user and stays signed in. */
export async function signUp(displayName = 'Ann Lee'): Promise<Person> {
  const { session } = await openApp();
  const person = { displayName, email: newEmail(), password: 'secret-word' };
  await act(async () => {
    await session.commands.signOut();
    await session.commands.signUp(person.email, person.password);
    await session.commands.rename(displayName);
  });
  return person;
}

/** An admin for this test file only, so that signing out cannot end a session of another test file. */
export const ADMIN_EMAIL = newEmail('admin');
let adminAccount: Promise<unknown> | undefined;

async function createAdmin(): Promise<void> {
  const account = await newAccount(ADMIN_EMAIL, 'Ada Admin');
  await query('update embedded_identity.accounts set email_verified = true where email = $1', [ADMIN_EMAIL]);
  await exchangeIdToken(ADMIN_EMAIL, account);
  await query(`update users set role = 'admin' where email = $1`, [ADMIN_EMAIL]);
}

export async function signInAsAdmin(): Promise<void> {
  const { session } = await openApp();
  await (adminAccount ??= createAdmin());
  await act(async () => {
    await session.commands.signOut();
    await session.commands.signIn(ADMIN_EMAIL, PASSWORD);
  });
}

/** Opens a page of the shop. `changes` override the shop's public settings. */
export async function openPage(path: string, changes: Partial<AppConfig> = {}) {
  const { config: shopConfig, session, store } = await openApp();
  const config = { ...shopConfig, ...changes };
  return render(
    <MemoryRouter initialEntries={[path]}>
      <Root store={store} config={config} commands={session.commands} />
    </MemoryRouter>,
  );
}

export const user = userEvent.setup({ delay: null });

/** Replaces the text of a field by pasting. */
export async function replaceText(field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  if (!text) return;
  await user.click(field);
  await user.paste(text);
}

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);

export async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await replaceText(await field(label), text);
}

/** Finds a user's row through the search field: only the first hundred users are rendered. */
export async function findUserRow(email: string): Promise<HTMLElement> {
  await replaceText(await screen.findByLabelText('Find by email'), email);
  return (await screen.findByText(email, { selector: 'bdi' })).closest<HTMLElement>('[role=row]')!;
}
