import type { Review } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
let ann: Customer;
beforeAll(async () => {
  shop = await startShop();
  ann = await newCustomer(shop, { displayName: 'Ann Lee' });
});
afterAll(() => shop.close());

const DRAFT = { description: 'Holds.', ratings: 5, img: '/images/people/ann.svg' };
const postReview = (author: Customer | null, body: unknown) =>
  callShop(shop.origin, '/review', { method: 'POST', token: author?.token, body });
const list = async () => (await callShop(shop.origin, '/review')).body as unknown as Review[];
const fieldsOf = ({ body }: Awaited<ReturnType<typeof postReview>>) =>
  (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

describe('A review', () => {
  // Clauses A.3.2, A.7.4, A.7.5, C.2.3, C.3.4, C.3.8
  it('is returned by the request that adds it, and is first in the public list', async () => {
    for (const description of ['The oldest one', 'An older one']) await postReview(ann, { ...DRAFT, description });
    const { status, body } = await postReview(ann, DRAFT);
    expect([status, body]).toEqual([201, { _id: expect.any(String), name: 'Ann Lee', ...DRAFT }]);
    const [first, ...older] = await list();
    expect([first, ...older.slice(0, 2).map(({ description }) => description)]).toEqual([
      body,
      'An older one',
      'The oldest one',
    ]);
  });

  // Clause C.2.6
  it("has the author's name even if the request contains another name", async () => {
    expect((await postReview(ann, { ...DRAFT, name: 'The Queen' })).body['name']).toBe('Ann Lee');
  });

  // Clause C.2.8
  it('by a user without a name shows the part of the email before the @', async () => {
    const nameless = await newCustomer(shop, { displayName: '  ', email: 'no.name@mail.example' });
    expect((await postReview(nameless, DRAFT)).body['name']).toBe('no.name');
  });

  // Clause C.4.6
  it('reveals nothing about its author except the name', async () => {
    await postReview(ann, DRAFT);
    for (const review of await list())
      expect(Object.keys(review).sort()).toEqual(['_id', 'description', 'img', 'name', 'ratings']);
  });
});

describe('POST /review', () => {
  // Clause C.3.2
  it.each([0, 6, 4.5, -1, '5', null, true, [5], 1e9])('refuses the rating %j and stores nothing', async (ratings) => {
    const countBefore = (await list()).length;
    const response = await postReview(ann, { ...DRAFT, ratings });
    expect([response.status, response.body.code, fieldsOf(response)]).toEqual([422, 'validation', ['ratings']]);
    expect(await list()).toHaveLength(countBefore);
  });

  // Clause C.3.3
  it('accepts a description of 2,000 characters, but not a longer one', async () => {
    const longest = '😀'.repeat(2000);
    expect((await postReview(ann, { ...DRAFT, description: longest })).body['description']).toBe(longest);
    expect(fieldsOf(await postReview(ann, { ...DRAFT, description: `${longest}!` }))).toEqual(['description']);
  });
});
