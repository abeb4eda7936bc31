import { screen, waitFor } from '@testing-library/react';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { fill, openPage, signUp, user } from '../../support/page';
import { replaceResponse } from '../../support/pageCalls';

const FILLED = { Address: '18 Foundry Row', Phone: '555 0142', LinkedIn: 'linkedin.example/ann' };
const EXPIRED_TOKEN = `x.${btoa(JSON.stringify({ exp: 1 }))}.x`;
const storedToken = () => localStorage.getItem('accessToken');
const save = () => user.click(screen.getByRole('button', { name: 'Save' }));

/** Replaces the answer to PUT /user, which exchanges an ID token for a new access token. */
const replaceExchange = (answer: () => Promise<Response>) => replaceResponse('PUT /user/', answer);
const answerWith = (status: number) => () => Promise.resolve(new Response('{}', { status }));

beforeEach(async () => {
  await signUp();
  await openPage('/dashboard');
  await fill(FILLED);
  localStorage.setItem('accessToken', EXPIRED_TOKEN);
});

test.each([401, 403])('the session ends when the shop refuses a new access token with %i', async (status) => {
  replaceExchange(answerWith(status));
  await save();
  await screen.findByText(APP_MESSAGES.sessionEnded);
  await screen.findByRole('button', { name: 'Log in' });
  expect(storedToken()).toBeNull();
});

test.each<[string, () => Promise<Response>, string]>([
  ['answers with 503', answerWith(503), APP_MESSAGES.unexpected],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), APP_MESSAGES.offline],
])('the session lasts when the shop %s, and the next Save works', async (_, answer, message) => {
  const restoreFetch = replaceExchange(answer);
  await save();
  await screen.findByText((text) => text.startsWith(message));
  expect(storedToken()).toBe(EXPIRED_TOKEN);
  restoreFetch();
  await save();
  await screen.findByText(SPEC_MESSAGES.profileSaved);
  await waitFor(() => expect(storedToken()).toMatch(/^ey/));
});
