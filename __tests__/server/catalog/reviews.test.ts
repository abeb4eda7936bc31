import { eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { Review } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { runCli } from '../../support/cli';
import { type Customer, newCustomer } from '../../support/customers';
import { startShop, collectLog } from '../../support/shop';
import { selectHomePageReviews } from '../../../server/catalog/reviews';
import { orders, reviews, tools } from '../../../server/db/schema';
import { expectEventually, waitUntil } from '../../support/wait';
import { main } from '../../../server/cli/reviews';

describe('Adding reviews', () => {
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
  });

  describe('A review of a tool', () => {
    const newTool = async (values = {}) =>
      (
        await shop.deps.db
          .insert(tools)
          .values({
            ...{ name: randomUUID(), price: 7, minimumOrderQuantity: 1, description: 'A tool.', img: '/t.svg' },
            ...{ availableQuantity: 9, stockedQuantity: 9, ...values },
          })
          .returning()
      )[0]!;
    const order = async ({ id, email }: Customer, toolId: string, state: 'paid' | 'unpriced') =>
      shop.deps.db.insert(orders).values({
        ...{ ownerId: id, email, client: 'Ann', toolId, productName: 'A tool', quantity: 1, address: 'a', phone: '1' },
        ...{ state, unitPrice: state === 'paid' ? 7 : null, holdsStock: state === 'paid' },
      });

    it('is accepted only from a customer who has paid for the tool', async () => {
      const [bought, unpaid] = [await newTool(), await newTool()];
      const ben = await newCustomer(shop);
      await order(ben, bought.id, 'paid');
      await order(ben, unpaid.id, 'unpriced');
      const review = (author: Customer, toolId: string) => postReview(author, { ...DRAFT, toolId });
      for (const refused of [await review(ann, bought.id), await review(ben, unpaid.id), await review(ben, 'nonsense')])
        expect([refused.status, fieldsOf(refused)]).toEqual([422, ['toolId']]);
      const { status, body } = await review(ben, bought.id);
      expect([status, body]).toEqual([201, expect.objectContaining({ toolId: bought.id, toolName: bought.name })]);
      expect((await list())[0]).toEqual(body);
    });

    it('is listed with the tool, whose name it shows as long as the tool is for sale', async () => {
      const [tool, admin] = [await newTool(), await newCustomer(shop, { role: 'admin' })];
      const ben = await newCustomer(shop);
      await order(ben, tool.id, 'paid');
      await postReview(ben, { ...DRAFT, toolId: tool.id });
      const ofTool = async () => (await callShop(shop.origin, `/review?tool=${tool.id}`)).body as unknown as Review[];
      const change = (body: object) =>
        callShop(shop.origin, `/tool/${tool.id}`, { method: 'PATCH', token: admin.token, body });
      expect(await ofTool()).toEqual([{ ...(await list())[0], toolId: tool.id, toolName: tool.name }]);
      await change({ name: 'A new name' });
      expect((await ofTool()).map(({ toolName }) => toolName)).toEqual(['A new name']);
      await change({ onSale: false });
      expect([await ofTool(), Object.keys((await list())[0]!)]).toEqual([[], expect.not.arrayContaining(['toolId'])]);
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
});

describe('The limits of reviews', () => {
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
      for (let count = 1; count <= 6; count++)
        expect((await postReview(ann, { ...DRAFT, ratings: 9 })).status).toBe(422);
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
      expect(list.slice(0, embeddedReviews(await homePageHtml()).length)).toEqual(
        embeddedReviews(await homePageHtml()),
      );
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
});

describe('Removing reviews', () => {
  const log = collectLog();
  let shop: Awaited<ReturnType<typeof startShop>>;
  let admin: Customer;
  let ann: Customer;
  beforeAll(async () => {
    shop = await startShop({ logger: log.logger });
    admin = await newCustomer(shop, { role: 'admin' });
    ann = await newCustomer(shop, { displayName: 'Ann Lee' });
  });
  afterAll(() => shop.close());

  async function postReview(author: Customer, description: string = randomUUID()): Promise<Review> {
    const draft = { description, ratings: 5, img: '/images/people/ann.svg' };
    const { body } = await callShop(shop.origin, '/review', { method: 'POST', token: author.token, body: draft });
    return body as unknown as Review;
  }
  const deleteReview = (id: string, caller?: Customer) =>
    callShop(shop.origin, `/review/${id}`, { method: 'DELETE', token: caller?.token });
  const listedIds = async () =>
    ((await callShop(shop.origin, '/review')).body as unknown as Review[]).map(({ _id }) => _id);
  const isOnHomePage = async (text: string) =>
    (await (await fetch(shop.origin, { headers: { accept: 'text/html' } })).text()).includes(text);

  describe('DELETE /review/{id}', () => {
    it('removes a review from the list immediately, and from the home page shortly after', async () => {
      const { _id, description } = await postReview(ann);
      await expectEventually(() => isOnHomePage(description), true);
      const { status, body } = await deleteReview(_id.toUpperCase(), admin);
      expect([status, body]).toEqual([204, {}]);
      expect(await listedIds()).not.toContain(_id);
      await expectEventually(() => isOnHomePage(description), false);
      expect((await deleteReview(_id, admin)).status).toBe(404);
    });

    it('records the admin who removed a review, in the audit log and in the log', async () => {
      const { _id } = await postReview(ann);
      const { headers } = await deleteReview(_id, admin);
      const { rows } = await shop.deps.db.$client.query('select * from admin_acts where subject = $1', [_id]);
      expect(rows).toMatchObject([
        { actor_id: admin.id, act: 'remove review', detail: { name: 'Ann Lee', authorId: ann.id } },
      ]);
      expect(log.linesOf('review removed').at(-1)).toMatchObject({
        reqId: headers.get('x-request-id'),
        reviewId: _id,
        adminId: admin.id,
      });
    });

    it('removes a review once if two admins send the request at the same time', async () => {
      const { _id } = await postReview(ann);
      const responses = await Promise.all([
        deleteReview(_id, admin),
        deleteReview(_id, await newCustomer(shop, { role: 'admin' })),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
    });
  });

  const runReviewsCli = (...argv: string[]) => runCli(main, argv, { ...shop.database!.env, DEMO: 'off' });

  describe('npm run reviews', () => {
    it('lists reviews newest first, with id, author and text, and removes terminal control characters from them', async () => {
      const older = await postReview(ann);
      const description = 'Older\u009b2J one\nand more';
      await shop.deps.db.update(reviews).set({ description }).where(eq(reviews.id, older._id));
      const newer = await postReview(ann, 'Newer one');
      const { code, out } = await runReviewsCli('list');
      const [first, second] = out.split('\n').map((line) => line.split('\t'));
      expect([code, first![0], second![0]]).toEqual([0, newer._id, older._id]);
      expect([second![2], second![3], second![4], second![5]]).toEqual([
        ann.email,
        'Ann Lee',
        '5',
        'Older 2J one and more',
      ]);
    });

    it('removes a review by its id, and the running server stops showing it', async () => {
      const { _id } = await postReview(ann);
      expect(await runReviewsCli('remove', _id)).toEqual({ code: 0, out: `Removed the review ${_id}.\n`, err: '' });
      await waitUntil(async () => !(await listedIds()).includes(_id));
      expect(await runReviewsCli('remove', _id)).toEqual({ code: 1, out: '', err: `There is no review ${_id}.\n` });
      expect((await runReviewsCli('remove', 'abc')).code).toBe(1);
    });

    it('removes all reviews by the user with a given email, and no other reviews', async () => {
      const [spammer, other] = [await newCustomer(shop, { email: 'spam@mail.example' }), await newCustomer(shop)];
      const otherReview = await postReview(other);
      const spam = [await postReview(spammer), await postReview(spammer)].map(({ _id }) => _id);
      const { code, out } = await runReviewsCli('remove-by', ' SPAM@mail.example');
      expect([code, out]).toEqual([0, 'Removed 2 reviews of spam@mail.example.\n']);
      await expectEventually(async () => (await listedIds()).filter((id) => spam.includes(id)).length, 0);
      expect(await listedIds()).toContain(otherReview._id);
      expect((await runReviewsCli('remove-by', 'spam@mail.example')).out).toBe(
        'Removed 0 reviews of spam@mail.example.\n',
      );
      expect(await runReviewsCli('remove-by', 'nobody@mail.example')).toEqual({
        code: 1,
        out: '',
        err: 'No user has the email nobody@mail.example.\n',
      });
    });
  });
});
