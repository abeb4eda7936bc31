import { screen, waitFor, within } from '@testing-library/react';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SESSION_MESSAGES } from '../../../src/contract/identityMessages';
import { fill, openPage, signUp, user } from '../../support/page';
import { watchCalls } from '../../support/pageCalls';

const sent = watchCalls();
let person: Awaited<ReturnType<typeof signUp>>;
let token: string;

const navbar = () => screen.getByRole('navigation', { name: 'Main' });
const signOutButton = () => within(navbar()).findByRole('button', { name: 'Sign out' });
const sessionCalls = () => sent.filter(({ call }) => /\/(session|user)/.test(call));
const storedToken = () => localStorage.getItem('accessToken');

beforeEach(async () => {
  person = await signUp();
  await openPage('/blogs');
  await signOutButton();
  token = String(storedToken());
  localStorage.setItem('draft:purchase', '{}');
  localStorage.setItem('place', '7');
  sent.length = 0;
});

async function expectSignedOut(message: string, draft: string | null = null): Promise<void> {
  await screen.findByText(message);
  await within(navbar()).findByRole('link', { name: 'Login' });
  expect(['draft:purchase', 'place', 'accessToken'].map((key) => localStorage.getItem(key))).toEqual([
    draft,
    '7',
    null,
  ]);
}

test('signing out sends DELETE /session with the access token, and deletes drafts', async () => {
  await user.click(await signOutButton());
  await expectSignedOut(SESSION_MESSAGES.signedOut);
  await waitFor(() => expect(sessionCalls()).toMatchObject([{ call: 'DELETE /session' }]));
  expect(sessionCalls()[0]!.authorization).toBe(`Bearer ${token}`);
});

test.each([
  ['an expired', `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 - 1 }))}.x`],
  ['an unreadable', 'x.?.x'],
])('signing out with %s token renews it first, because only a valid token ends its session', async (_kind, stored) => {
  localStorage.setItem('accessToken', stored);
  await user.click(await signOutButton());
  await expectSignedOut(SESSION_MESSAGES.signedOut);
  await waitFor(() =>
    expect(sessionCalls()).toMatchObject([{ call: `PUT /user/${person.email}` }, { call: 'DELETE /session' }]),
  );
  expect(sessionCalls()[1]!.authorization).toMatch(/^Bearer ey/);
});

type StorageChange = [key: string | null, newValue: string | null];

/** Dispatches what a browser dispatches when another tab changes localStorage. */
function changeInOtherTab(...changes: StorageChange[]): void {
  for (const [key, newValue] of changes) window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
}

test.each<[string, StorageChange[], string, draft: string | null]>([
  [
    'signs out',
    [
      ['signingOut', 'yes'],
      ['signingOut', null],
      ['accessToken', null],
    ],
    SESSION_MESSAGES.signedOutElsewhere,
    null,
  ],
  ['finds that the session has ended', [['accessToken', null]], APP_MESSAGES.sessionEnded, '{}'],
  ['clears the storage', [[null, null]], APP_MESSAGES.sessionEnded, '{}'],
])('if another tab %s, this tab is signed out too and says why', async (_act, changes, message, draft) => {
  changeInOtherTab(...changes);
  await expectSignedOut(message, draft);
  expect(sessionCalls()).toEqual([]);
});

test('if another tab finds that the session has ended, the next login leads back to the page of this tab', async () => {
  await openPage('/dashboard/addreview');
  await screen.findByRole('heading', { level: 1, name: 'Add review' });
  changeInOtherTab(['accessToken', null]);
  await fill({ Email: person.email, Password: person.password });
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Add review' })).toBeVisible();
});

test('another tab that changes the theme or renews the token leaves this tab signed in', async () => {
  changeInOtherTab(['theme', null], ['theme', 'dark'], ['accessToken', 'newer']);
  expect(await signOutButton()).toBeVisible();
  expect([storedToken(), screen.queryByText(APP_MESSAGES.sessionEnded)]).toEqual([token, null]);
});
