import { screen } from '@testing-library/react';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { openPage, user, signInAsAdmin } from '../../support/page';
import { replaceFetch } from '../../support/pageCalls';

/** Answers the admin check with this status, and sends all other calls to the shop. */
const mockAdminCheck = (status: number) =>
  replaceFetch((originalFetch) => async (input, init) => {
    const { url } = input as Request;
    return url.includes('/admin/') ? new Response('{}', { status }) : originalFetch(input, init);
  });

beforeEach(signInAsAdmin);

test.each([403, 404])('an admin page redirects to the login page when the admin check answers %i', async (status) => {
  mockAdminCheck(status);
  await openPage('/dashboard/manageallorders');
  expect(await screen.findByRole('heading', { name: "You're logged in" })).toBeVisible();
  expect(screen.getByText(PAGE_MESSAGES.adminsOnly)).toBeVisible();
});

test('an admin page shows Try again when the admin check answers 503', async () => {
  const restoreFetch = mockAdminCheck(503);
  await openPage('/dashboard/manageallorders');
  const tryAgain = await screen.findByRole('button', { name: 'Try again' });
  expect(tryAgain.closest('[role=alert]')).toHaveTextContent(APP_MESSAGES.unexpected);
  restoreFetch();
  await user.click(tryAgain);
  expect(await screen.findByText(/^[\d,]+ orders? so far\./)).toBeVisible();
});
