import { screen, waitFor, within } from '@testing-library/react';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { fill, openPage, user } from '../../support/page';
import { watchCalls } from '../../support/pageCalls';

const main = () => screen.getByRole('main');
const heading = (name: string | RegExp) => screen.findByRole('heading', { name });
const textsOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);
const linksTo = (container: HTMLElement, fragment: string) =>
  within(container)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => href.includes(fragment));

// Clauses A.2.12, A.9.5
test('the carousel has four slides, each with a sentence, a picture and a link', async () => {
  await openPage('/home');
  await heading('Tools');
  const slides = [...document.querySelectorAll<HTMLElement>('[aria-roledescription=slide]')];
  expect(slides).toHaveLength(4);
  for (const slide of slides) {
    expect(slide.querySelector('h2')?.textContent).toMatch(/\w+ \w+/);
    await waitFor(() => expect(slide.querySelectorAll('img')).toHaveLength(1));
    expect(slide.querySelectorAll('a[href]')).toHaveLength(1);
  }
  expect(new Set(slides.map((slide) => slide.querySelector('h2')?.textContent)).size).toBe(4);
});

// Clauses A.1.1, A.2.12
test('the contact section of the home page has links for email and phone', async () => {
  await openPage('/');
  const prompt = (await heading('Not sure which tools you need?')).closest('section')!;
  expect([linksTo(prompt, 'mailto:'), linksTo(prompt, 'tel:')].map(({ length }) => length)).toEqual([1, 1]);
});

// Clauses A.1.1, A.1.6, A.2.13
test('the blog page has a centered heading, a divider and five bold questions with answers', async () => {
  await openPage('/blogs');
  expect(await heading('BLOG POSTS')).toHaveStyle({ textAlign: 'center' });
  expect(within(main()).getAllByRole('separator')).toHaveLength(1);
  const articles = within(main()).getAllByRole('article');
  const questions = articles.map((article) => within(article).getByRole('heading', { level: 2 }));
  for (const question of questions) expect(question).toHaveStyle({ fontWeight: 700 });
  const topics = [
    /improve the performance of a React application\?/,
    /manag\w* state in a React application\?/,
    /prototypal inheritance work\?/,
    /setter instead of changing state directly\?/,
    /unit test.*why.*write/i,
  ];
  expect(questions).toHaveLength(topics.length);
  topics.forEach((topic, index) => expect(questions[index]).toHaveTextContent(topic));
  for (const article of articles) {
    const [paragraph, ...more] = article.querySelectorAll('p');
    expect(more).toEqual([]);
    const wordCount = paragraph!.textContent.split(/\s+/).length;
    expect([wordCount > 25, wordCount < 150]).toEqual([true, true]);
  }
});

// Clauses A.1.1, A.2.14, C.16.4
test('the about page describes our qualifications, shows sample projects and answers the FAQ', async () => {
  await openPage('/about');
  await heading('We make what we sell');
  const texts = textsOf(within(main()).getAllByRole('heading', { level: 3 }));
  expect(texts.length).toBeGreaterThanOrEqual(4);
  await screen.findByRole('navigation', { name: 'FAQ' });
  for (const part of ['#project-', '/about#faq-']) {
    const links = new Set(linksTo(document.body, part));
    expect(links.size).toBeGreaterThanOrEqual(3);
    for (const href of links)
      expect([href, main().querySelector(new URL(href, location.origin).hash) !== null]).toEqual([href, true]);
  }
});

// Clause A.2.8
test('an unknown path shows the not-found image', async () => {
  await openPage('/any/other/path');
  expect(await screen.findByRole('img', { name: /not found/ })).toHaveAttribute(
    'src',
    expect.stringContaining('not-found'),
  );
});

// Clauses A.2.4, A.2.5, A.2.15, A.2.18, C.11.12
test('login and signup have their fields, a Google button and links to each other, and login has a password reset', async () => {
  const login = await openPage('/login');
  await heading('Login');
  const readFieldNames = () => [...main().querySelectorAll('form input')].map((input) => input.getAttribute('name'));
  expect(readFieldNames()).toEqual(['email', 'password']);
  within(main()).getByRole('button', { name: 'Continue with Google' });
  expect(linksTo(main(), '/signup')).toEqual(['/signup']);
  within(main()).getByRole('button', { name: 'Forgot your password?' });
  login.unmount();
  await openPage('/signup');
  await heading('Signup');
  expect(readFieldNames()).toEqual(['name', 'email', 'password']);
  within(main()).getByRole('button', { name: 'Continue with Google' });
  expect(linksTo(main(), '/login')).toEqual(['/login']);
});

test('the login page of a demo whose passwords are secret fills in only the email of its accounts', async () => {
  await openPage('/login', { demoPassword: undefined });
  const box = await screen.findByRole('region', { name: 'Demo accounts' });
  expect(box).toHaveTextContent('The server printed the passwords when it started.');
  await user.click(within(box).getByRole('button', { name: /^Admin/ }));
  const values = [...main().querySelectorAll('form input')].map((input) => (input as HTMLInputElement).value);
  expect(values).toEqual(['admin@forgeline.example', '']);
});

async function logInAndReadErrors(email: string, password: string) {
  const { unmount } = await openPage('/login');
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Log in' }));
  const alerts = await within(screen.getByRole('main')).findAllByRole('alert');
  const texts = alerts.map(({ textContent }) => textContent);
  unmount();
  return texts;
}

// Clause A.5.1
test.each([
  ['a@b.c', true],
  ['abc@d.e', false],
])('login requires three consecutive letters in an email: it rejects %s: %s', async (email, isRejected) => {
  expect((await logInAndReadErrors(email, '123456')).includes('Provide a valid Email')).toBe(isRejected);
});

// Clauses A.5.1, A.5.2, A.5.3
test('signup shows a message at each invalid field, focuses the first, and sends no request', async () => {
  const sent = watchCalls();
  await openPage('/signup');
  await heading('Signup');
  const press = () => user.click(within(main()).getByRole('button', { name: 'Sign up' }));
  const readErrors = () => textsOf(within(main()).queryAllByRole('alert'));
  await press();
  const { nameRequired, emailRequired, emailInvalid, passwordRequired, passwordShort } = SPEC_MESSAGES;
  await waitFor(() => expect(readErrors()).toEqual([nameRequired, emailRequired, passwordRequired]));
  await fill({ Name: ' ', Email: 'a1@b2.cc', Password: '12345' });
  await press();
  await waitFor(() => expect(readErrors()).toEqual([nameRequired, emailInvalid, passwordShort]));
  await fill({ Name: 'Nora', Email: 'nora@', Password: '123' });
  await press();
  await waitFor(() => expect(readErrors()).toEqual([emailInvalid, passwordShort]));
  expect(screen.getByLabelText('Email')).toHaveFocus();
  expect(screen.getByLabelText('Password')).toBeInvalid();
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(`At least 6 characters ${passwordShort}`);
  expect(sent.filter(({ call }) => call.includes('accounts:'))).toEqual([]);
});

// Clauses A.5.2, A.9.1
test('login requires a password of at least six characters', async () => {
  expect(await logInAndReadErrors('nobody@mail.example', '12345')).toEqual(['Put more than 6 characters']);
  expect(await logInAndReadErrors('nobody@mail.example', '123456')).toEqual(['Wrong email or password.']);
});
