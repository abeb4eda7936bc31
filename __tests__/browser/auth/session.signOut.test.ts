import { browserFixture, NETWORK_ERROR, storedToken } from '../../support/browser';
import { waitUntilSignedIn, signInAsNewUser, signOut } from '../../support/session';

const fixture = browserFixture();

// Clause C.11.6
test('signing out offline ends the session in the browser immediately and shows no error', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  await page.goto('/blogs');
  await waitUntilSignedIn(page);
  await page.waitForLoadState('networkidle');
  await visitor.context.setOffline(true);
  await signOut(page);
  expect(await storedToken(page)).toBeNull();
  await page.waitForTimeout(300);
  expect(await page.getByRole('alert').count()).toBe(0);
  await visitor.context.setOffline(false);
  visitor.allowedErrors.push(NETWORK_ERROR);
});
