import { randomUUID } from 'node:crypto';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { query } from '../../support/database';
import { openPage, replaceText, signUp, user } from '../../support/page';
import { clearDrafts } from '../../../src/forms/drafts';

const description = () => screen.findByLabelText<HTMLTextAreaElement>('Description');
const ratings = () => screen.getByLabelText<HTMLInputElement>('Ratings');
const photo = () => screen.getByLabelText<HTMLInputElement>('Picture link');
const stars = () => screen.getAllByRole<HTMLInputElement>('radio');
const countSelectedStars = () => stars().findIndex(({ checked }) => checked) + 1;
const send = () => user.click(screen.getByRole('button', { name: 'Add review' }));
const readReviewsOf = (text: string) => query('select name, ratings, img from reviews where description = $1', [text]);

beforeAll(() => signUp('Ann Lee'));
beforeEach(clearDrafts);

// Clauses A.2.9, A.2.38, A.5.8
test('the review form requires a description, a rating and a picture link', async () => {
  await openPage('/dashboard/addreview');
  await description();
  await user.clear(photo());
  await send();
  const errors = await screen.findAllByRole('alert');
  expect(errors.map(({ textContent }) => textContent)).toEqual([
    'Description is required',
    'Choose a rating',
    'Picture link is required',
  ]);
  expect(await description()).toHaveFocus();
});

test('the rating number and the stars stay in sync, even by keyboard', async () => {
  const { container } = await openPage('/dashboard/addreview');
  const countLitStars = () => container.querySelectorAll('[role="radiogroup"] [data-lit="true"]').length;
  await description();
  await user.type(ratings(), '3');
  expect([countSelectedStars(), countLitStars()]).toEqual([3, 3]);
  const names = stars().map(({ labels }) => labels![0]!.textContent);
  expect(names).toEqual(['1 star', '2 stars', '3 stars', '4 stars', '5 stars']);
  await user.click(screen.getByRole('radio', { name: '5 stars' }));
  expect(ratings()).toHaveValue(5);
  await user.keyboard('{ArrowLeft}');
  expect([ratings().value, countSelectedStars()]).toEqual(['4', 4]);
  await user.clear(ratings());
  expect(countSelectedStars()).toBe(0);
  await user.type(ratings(), '7');
  expect([countSelectedStars(), countLitStars()]).toEqual([0, 0]);
  expect(within(container.querySelector('figure')!).getByText(/^Ratings: 0/)).toBeVisible();
});

// Clause C.15.4
test("a review shows the customer's initials if its picture's link is invalid or the picture does not load", async () => {
  const { container } = await openPage('/dashboard/addreview');
  await description();
  const picture = () => within(container.querySelector('figure')!).getByAltText('');
  const readPreviewSrc = () => picture().getAttribute('src');
  expect(readPreviewSrc()).toBe('/initials/AL.svg');
  await replaceText(photo(), 'pics.example/ann.png');
  await waitFor(() => expect(readPreviewSrc()).toBe('https://pics.example/ann.png'));
  fireEvent.error(picture());
  expect(readPreviewSrc()).toBe('/initials/AL.svg');
  await user.clear(photo());
  await user.type(photo(), 'javascript:alert(1)');
  await waitFor(() => expect(readPreviewSrc()).toBe('/initials/AL.svg'));
});

test("a review shows the customer's initials unless the customer enters a link, and a button restores them", async () => {
  const text = `With initials ${randomUUID()}`;
  await openPage('/dashboard/addreview');
  await replaceText(await description(), text);
  await replaceText(ratings(), '5');
  const restore = () => screen.queryByRole('button', { name: 'Use my initials' });
  expect([photo().value, restore()]).toEqual(['/initials/AL.svg', null]);
  await replaceText(photo(), 'nonsense');
  await user.click(restore()!);
  expect(photo()).toHaveFocus();
  expect([photo().value, restore(), screen.queryByRole('alert')]).toEqual(['/initials/AL.svg', null, null]);
  await send();
  expect(await screen.findByText('Thanks For Your Review')).toBeVisible();
  expect(await readReviewsOf(text)).toEqual([{ name: 'Ann Lee', ratings: 5, img: '/initials/AL.svg' }]);
});

// Clauses A.1.2, A.8.7
test('adding a review shows a toast and empties the form, and the home page shows the review without a reload', async () => {
  const text = `Forty hammers, no loose head ${randomUUID()}`;
  await openPage('/');
  await screen.findByRole('heading', { name: 'Latest client reviews' });
  await user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await user.click(await screen.findByRole('link', { name: 'Add review' }));
  await user.type(await description(), `  ${text} `);
  await user.click(screen.getByRole('radio', { name: '4 stars' }));
  await replaceText(photo(), '/images/people/sofia-herrera.svg');
  await send();
  expect(await screen.findByText('Thanks For Your Review')).toBeVisible();
  await waitFor(async () => expect(await description()).toHaveValue(''));
  expect([ratings().value, photo().value, countSelectedStars()]).toEqual(['', '/initials/AL.svg', 0]);
  expect(localStorage.getItem('draft:review')).toBeNull();
  expect(await readReviewsOf(text)).toEqual([{ name: 'Ann Lee', ratings: 4, img: '/images/people/sofia-herrera.svg' }]);
  await user.click(screen.getByRole('link', { name: 'Home' }));
  expect(await screen.findByText(text)).toBeInTheDocument();
});
