import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import { openPage, signUp, user } from '../../support/page';
import { replaceFetch } from '../../support/pageCalls';

const navbar = () => screen.getByRole('navigation', { name: 'Main' });
const readNavbarEntries = () =>
  within(navbar())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const isBefore = (first: Element, second: Element) =>
  (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

const VISITORS = ['/', '/home', '/blogs', '/about', '/login', '/signup', '/no/such/page'];
const CUSTOMERS = [
  '/dashboard',
  '/dashboard/myorder',
  '/dashboard/addreview',
  '/dashboard/payment/none',
  '/purchase/none',
];

async function checkNavbarAndFooter(path: string) {
  const { unmount } = await openPage(path);
  const main = await screen.findByRole('main');
  const result = [isBefore(navbar(), main), isBefore(main, await screen.findByRole('contentinfo'))];
  unmount();
  return result;
}

// Clauses A.2.6, A.2.10, A.6.1, A.6.2
test('every page for visitors and customers has the navbar above its content and the footer below', async () => {
  for (const path of VISITORS) expect([path, ...(await checkNavbarAndFooter(path))]).toEqual([path, true, true]);
  await signUp();
  for (const path of CUSTOMERS) expect([path, ...(await checkNavbarAndFooter(path))]).toEqual([path, true, true]);
});

// Clauses A.2.20, A.2.21, A.2.22, C.11.8
test('while a user is signed in, the navbar shows Dashboard, the name and Sign out instead of Login', async () => {
  await signUp('Ann Lee');
  await openPage('/blogs');
  await waitFor(() =>
    expect(readNavbarEntries()).toEqual(['Home', 'Blogs', 'About', 'Dashboard', 'Ann Lee', 'Sign out']),
  );
  expect(localStorage.getItem('accessToken')).toMatch(/^ey/);
  await user.click(within(navbar()).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(readNavbarEntries()).toEqual(['Home', 'Blogs', 'About', 'Login']));
  expect(localStorage.getItem('accessToken')).toBeNull();
});

// Clauses A.2.23, C.16.5
test('the footer has contact details, FAQ links, a newsletter email box and social icons', async () => {
  await openPage('/about');
  const footer = within(await screen.findByRole('contentinfo'));
  for (const name of [/^\+1 312/, /@forgeline\.example$/]) footer.getByRole('link', { name });
  const questions = within(footer.getByRole('navigation', { name: 'FAQ' })).getAllByRole('link');
  expect(questions.map((link) => link.textContent)).toEqual(expect.arrayContaining(['How do I pay?']));
  expect(footer.getByLabelText('Newsletter')).toHaveAttribute('type', 'email');
  for (const name of ['LinkedIn', 'YouTube', 'Instagram'])
    expect(
      footer.getByRole('link', { name: `Forgeline on ${name} (opens a new tab)` }).querySelector('svg'),
    ).not.toBeNull();
});

// Clauses A.3.8, C.11.7
test.each(['/login', '/signup'])('%s shows the signed-in user and does not redirect', async (path) => {
  const { email } = await signUp('Ann Lee');
  await openPage(path);
  await screen.findByRole('heading', { name: "You're logged in" });
  const [name] = within(screen.getByRole('main')).getAllByText('Ann Lee');
  expect(name!.parentElement).toHaveTextContent(`Ann Lee, ${email}`);
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Use another account' }));
  expect(await screen.findByLabelText('Password')).toBeVisible();
});

// Clause C.4.2
test('a list that fails to load shows the error with its code, and Try again loads it', async () => {
  await signUp();
  const problem = { code: 'forbidden', status: 403, detail: 'Not now.', instance: 'abcde-100' };
  const restoreFetch = replaceFetch(() => async () => new Response(JSON.stringify(problem), { status: 403 }));
  await openPage('/dashboard/myorder');
  const errorText = await screen.findByText('Not now.');
  expect(errorText.closest('[role=alert]')).toHaveTextContent('contact us with the code abcde-100');
  const copy = jest.spyOn(navigator.clipboard, 'writeText');
  await user.click(screen.getByRole('button', { name: 'Copy details' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copy.mock.calls[0]![0]).toMatch(/^Code: abcde-100\nPage: http:\S+\/\nTime: \d{4}-\S+Z\nVersion: \w+$/);
  restoreFetch();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No orders yet')).toBeVisible();
});

// Clauses A.9.13, A.9.14
test('the bundled Firebase SDK refreshes a token five minutes before expiry, and has network timeouts of 30 and 60 seconds', async () => {
  const manifest = JSON.parse(readFileSync(join(__dirname, '../../../dist/client/manifest.json'), 'utf8')) as {
    groups: Record<string, string[]>;
  };
  const chunks = manifest.groups['firebase']!.map(async (name) => (await fetch(`/assets/${name}`)).text());
  const code = (await Promise.all(chunks)).join();
  expect(code).toMatch(/expirationTime\s*\?\?\s*0\)\s*-\s*Date\.now\(\)\s*-\s*3e5/);
  expect(code).toMatch(/new \w+\(3e4,\s*6e4\)/);
});
