import { selectHomePageReviews } from '../../../server/catalog/reviews';
import { reviews } from '../../../server/db/schema';
import type { Review } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newCustomer } from '../../support/customers';
import { expectEventually } from '../../support/wait';
import { startShop } from '../../support/shop';

const DRAFT = { description: 'Holds.', ratings: 5, img: '/images/people/ann.svg' };
const HOUR_MS = 3_600_000;
const env = { RATE_LIMIT: 'on', DEMO: 'on' };

let copies: Awaited<ReturnType<typeof startShop>>[];
let clock = Date.now();
const now = () => new Date(clock);
beforeAll(async () => {
  const first = await startShop({ env, now });
  copies = [first, await startShop({ env, now, connection: first.database!.connection })];
});
afterAll(async () => {
  for (const copy of copies.toReversed()) await copy.close();
});

const postReview = (author: Customer, body: object = DRAFT, copy = 0) =>
  callShop(copies[copy]!.origin, '/review', {
    method: 'POST',
    token: copies[0]!.deps.tokens.issue(author.id),
    body,
  });
const statusesOf = (responses: Awaited<ReturnType<typeof postReview>>[]) =>
  responses.map(({ status }) => status).sort();

describe('A customer', () => {
  it('can add five reviews a day and then gets a 429 until the day is over', async () => {
    const ann = await newCustomer(copies[0]!);
    for (let count = 1; count <= 5; count++) expect((await postReview(ann)).status).toBe(201);
    clock += 22.5 * HOUR_MS;
    const { status, headers, body } = await postReview(ann);
    expect([status, body.code, headers.get('content-type'), Number(headers.get('retry-after'))]).toEqual([
      429,
      'rate_limited',
      'application/problem+json',
      1.5 * 3600,
    ]);
    expect(body['detail']).toBe('You can add 5 reviews a day. Try again in 2 hours.');
    clock += 0.5 * HOUR_MS;
    expect((await postReview(ann)).body['detail']).toBe('You can add 5 reviews a day. Try again in an hour.');
    clock += 1 * HOUR_MS;
    expect((await postReview(ann)).status).toBe(201);
  });

  it('does not use up the daily limit with invalid reviews', async () => {
    const ann = await newCustomer(copies[0]!);
    for (let count = 1; count <= 6; count++) expect((await postReview(ann, { ...DRAFT, ratings: 9 })).status).toBe(422);
    for (let count = 1; count <= 5; count++) expect((await postReview(ann)).status).toBe(201);
    expect((await postReview(ann)).status).toBe(429);
  });

  it('does not use up the daily limit with reviews that the database refuses', async () => {
    const [ann, { $client }] = [await newCustomer(copies[0]!), copies[0]!.deps.db];
    await $client.query(`alter table reviews add constraint refused check (description <> 'refused')`);
    for (let count = 1; count <= 6; count++)
      expect((await postReview(ann, { ...DRAFT, description: 'refused' })).status).toBe(409);
    await $client.query('alter table reviews drop constraint refused');
    for (let count = 1; count <= 5; count++) expect((await postReview(ann)).status).toBe(201);
    expect((await postReview(ann)).status).toBe(429);
  });

  it('who sends twenty reviews at the same time to two servers gets five of them accepted', async () => {
    const ann = await newCustomer(copies[0]!);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => postReview(ann, DRAFT, n % 2)));
    expect(statusesOf(responses)).toEqual([...Array<number>(5).fill(201), ...Array<number>(15).fill(429)]);
  });

  it('does not use up the daily limit of another customer', async () => {
    const [ann, bob] = [await newCustomer(copies[0]!), await newCustomer(copies[0]!)];
    for (let count = 1; count <= 6; count++) await postReview(ann);
    expect((await postReview(bob)).status).toBe(201);
  });
});

const INSERTED_COUNT = 200;
const homePageHtml = async () => (await fetch(copies[0]!.origin, { headers: { accept: 'text/html' } })).text();
const embeddedReviews = (page: string) =>
  (JSON.parse(/id="app-data"[^>]*>([^<]*)</.exec(page)![1]!) as { reviews: Review[] }).reviews;

/** @returns the reviews that the home page contains once it shows the inserted ones */
async function insertReviews(text: string, img: string): Promise<Review[]> {
  const { db, catalog } = copies[0]!.deps;
  const review = { name: 'Ann', description: text, ratings: 5, img };
  await db.insert(reviews).values(Array.from({ length: INSERTED_COUNT }, () => review));
  await catalog.reportChange('reviews');
  await expectEventually(async () => embeddedReviews(await homePageHtml())[0]?.description === text, true);
  return embeddedReviews(await homePageHtml());
}

describe('The home page', () => {
  it.each([
    ['plain letters', 'a'.repeat(2000), 24],
    ['long links', 'b'.repeat(2000), 10, `/${'x'.repeat(2000)}.svg`],
    ['quotes, which HTML and JSON escape', '"'.repeat(2000), 5],
    ['less-than signs', '<'.repeat(2000), 5],
    ['emoji', '😀'.repeat(2000), 5],
  ])(
    'stays below 300 KB if there are hundreds of long reviews that consist of %s',
    async (_name, text, minReviews, img = DRAFT.img) => {
      const shown = await insertReviews(text, img);
      expect(shown.length).toBeGreaterThanOrEqual(minReviews);
      expect(shown.length).toBeLessThanOrEqual(24);
      expect(Buffer.byteLength(await homePageHtml())).toBeLessThan(300_000);
    },
  );

  it('contains only the newest reviews, while GET /review lists all reviews', async () => {
    const list = (await callShop(copies[0]!.origin, '/review')).body as unknown as Review[];
    expect(list.length).toBeGreaterThan(INSERTED_COUNT);
    expect(list.slice(0, embeddedReviews(await homePageHtml()).length)).toEqual(embeddedReviews(await homePageHtml()));
  });
});

const countShownReviews = (texts: Partial<Review>) => {
  const review = { _id: 'a', name: '', description: '', ratings: 5, img: '', ...texts };
  return selectHomePageReviews([review]).length;
};

test('the home page leaves out a review whose texts together are too long, or become too long when they are escaped', () => {
  const description = 'x'.repeat(60_000);
  for (const tooLong of [{ name: 'x'.repeat(10_001) }, { img: 'x'.repeat(10_001) }])
    expect(countShownReviews({ description, ...tooLong })).toBe(0);
  for (const [text, fitting] of [
    ['"', 11_666],
    ['é', 35_000],
  ] as const)
    expect([fitting, fitting + 1].map((length) => countShownReviews({ description: text.repeat(length) }))).toEqual([
      1, 0,
    ]);
});
