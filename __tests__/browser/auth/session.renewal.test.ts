import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SESSION_MESSAGES } from '../../../src/contract/identityMessages';
import { browserFixture, dispatchWindowFocus, storedToken } from '../../support/browser';
import {
  endSessions,
  waitForPath,
  waitUntilSignedIn,
  waitUntilSignedOut,
  logIn,
  signInAsNewUser,
  signOut,
  signUp,
} from '../../support/session';
import { newEmail } from '../../support/customers';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();

// Clause C.11.6
test('signing in and signing out in one tab also take effect in another tab', async () => {
  const { page, visitor } = fixture;
  const email = newEmail();
  const other = await visitor.context.newPage();
  await other.goto('/blogs');
  await waitUntilSignedOut(other);
  await signUp(page, email);
  await waitUntilSignedIn(other);
  await other.goto('/dashboard');
  await waitUntilSignedIn(other);
  await signOut(page);
  await waitUntilSignedOut(other);
  await other.getByText(SESSION_MESSAGES.signedOutElsewhere).waitFor();
  await waitForPath(other, '/login');
  await expectEventually(() => storedToken(other), null);
  await logIn(other, email);
  await waitUntilSignedIn(other);
  await waitUntilSignedIn(page);
});

// Clauses A.4.3, C.11.3
test('a session that cannot be renewed ends with a notice, and logging in returns to the page that was open', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard/myorder');
  await page.getByText('No orders yet').waitFor();
  await page.evaluate(() =>
    localStorage.setItem('draft:purchase', JSON.stringify({ at: Date.now(), values: {}, sent: [] })),
  );
  await endSessions(email);
  await dispatchWindowFocus(page);
  const notice = page.getByRole('alert').filter({ hasText: APP_MESSAGES.sessionEnded });
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  await waitForPath(page, '/login');
  expect(await storedToken(page)).toBeNull();
  await logIn(page, email);
  await waitForPath(page, '/dashboard/myorder');
  expect(await page.evaluate(() => localStorage.getItem('draft:purchase'))).not.toBeNull();
});
