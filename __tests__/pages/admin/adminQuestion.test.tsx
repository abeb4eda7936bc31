import { screen } from '@testing-library/react';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { ADMIN, openPage, signIn, user } from '../../support/page';
import { replaceFetch } from '../../support/pageCalls';

/** The question whether this is an admin gets this answer, and every other call the shop's own. */
const answerQuestion = (status: number) =>
  replaceFetch((out) => async (input, init) => {
    const { url } = input as Request;
    return url.includes('/admin/') ? new Response('{}', { status }) : out(input, init);
  });

beforeEach(() => signIn(ADMIN));

test.each([403, 404])('an admin page leads to the login page when the shop answers %i', async (status) => {
  answerQuestion(status);
  await openPage('/dashboard/manageallorders');
  expect(await screen.findByRole('heading', { name: "You're logged in" })).toBeVisible();
  expect(screen.getByText(PAGE_MESSAGES.adminsOnly)).toBeVisible();
});

test.each([429, 503])('an admin page offers to try again when the shop answers %i', async (status) => {
  const back = answerQuestion(status);
  await openPage('/dashboard/manageallorders');
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(again.closest('[role=alert]')).toHaveTextContent(APP_MESSAGES.unexpected);
  back();
  await user.click(again);
  expect(await screen.findByText(/^\d+ orders? so far\./)).toBeVisible();
});
