import { randomUUID } from 'node:crypto';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { findAccessibilityViolations, findDisplayProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const removeButton = (name: string) =>
  main().getByRole('button', { name: `Remove the review by ${name}`, exact: true });
const dialog = () => fixture.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure });
const countReviewsOf = async (name: string) => (await query('select id from reviews where name = $1', [name])).length;

/** Inserts reviews, which are then the first on the home page. */
async function insertReviews(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `Reviewer ${randomUUID()}`);
  for (const name of names.toReversed())
    await query(
      `insert into reviews (name, description, ratings, img) values ($1, 'Good steel.', 5, '/images/placeholder.svg')`,
      [name],
    );
  await query("notify forgeline_catalogue, 'somebody reviews'");
  return names;
}

async function openHome() {
  await fixture.page.goto('/');
  await waitUntilInteractive(fixture.page);
}

test('an admin removes a review after confirming in an accessible dialog, and the focus moves to the next review', async () => {
  const [first, second] = (await insertReviews(2)) as [string, string];
  await signInAsDemoUser(fixture.page, 'admin');
  await openHome();
  await removeButton(first).waitFor();
  expect(await findDisplayProblems(fixture.page, 'remove buttons', '#reviews')).toEqual([]);
  const keys = openKeyboard(fixture.page);
  await removeButton(first).focus();
  await keys.press('Enter');
  await dialog().waitFor();
  expect(await findAccessibilityViolations(fixture.page, { within: 'dialog' })).toEqual([]);
  await dialog().getByText(`Remove the review by ${first}? This can't be undone.`).waitFor();
  await keys.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await keys.expectFocus(removeButton(first));
  expect(await countReviewsOf(first)).toBe(1);

  await keys.press('Enter');
  await dialog().getByRole('button', { name: 'Remove' }).press('Enter');
  await removeButton(first).waitFor({ state: 'detached' });
  await keys.expectFocus(removeButton(second));
  expect([await countReviewsOf(first), await countReviewsOf(second)]).toEqual([0, 1]);
  await fixture.page.reload();
  await removeButton(second).waitFor();
  expect(await main().getByText(first).count()).toBe(0);
});

test('customers see no Remove button on reviews and do not load the script of that button', async () => {
  const [name] = (await insertReviews(1)) as [string];
  await signInAsNewUser(fixture.page);
  await openHome();
  await waitUntil(async () => (await main().getByText(name).count()) > 0);
  await fixture.page.waitForLoadState('networkidle');
  expect(
    await main()
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0);
  expect(fixture.visitor.requests.filter((url) => url.includes('remove-review'))).toEqual([]);
});
