import { eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { main } from '../../../server/cli/reviews';
import { reviews } from '../../../server/db/schema';
import type { Review } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
import { expectEventually, waitUntil } from '../../support/wait';
import { collectLog, startShop } from '../../support/shop';

const log = collectLog();
let shop: Awaited<ReturnType<typeof startShop>>;
let admin: Customer;
let ann: Customer;
beforeAll(async () => {
  shop = await startShop({ logger: log.logger });
  admin = await newAdmin(shop);
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
    const { status, body } = await deleteReview(_id, admin);
    expect([status, body]).toEqual([204, {}]);
    expect(await listedIds()).not.toContain(_id);
    await expectEventually(() => isOnHomePage(description), false);
    expect((await deleteReview(_id, admin)).status).toBe(404);
  });

  it('answers 401 without a session, and 403 to every user who is not an admin, even to the author', async () => {
    const { _id } = await postReview(ann);
    const other = await newCustomer(shop);
    expect([
      (await deleteReview(_id)).status,
      (await deleteReview(_id, ann)).status,
      (await deleteReview(_id, other)).status,
    ]).toEqual([401, 403, 403]);
    expect((await deleteReview('nothing', ann)).status).toBe(403);
    expect(await listedIds()).toContain(_id);
  });

  it('records the admin who removed a review, in the audit log and in the log', async () => {
    const { _id } = await postReview(ann);
    const { headers } = await deleteReview(_id, admin);
    const { rows } = await shop.deps.db.$client.query('select * from admin_acts where subject = $1', [_id]);
    expect(rows).toMatchObject([{ actor_id: admin.id, act: 'remove review', detail: { name: 'Ann Lee' } }]);
    expect(log.linesOf('review removed').at(-1)).toMatchObject({
      reqId: headers.get('x-request-id'),
      reviewId: _id,
      adminId: admin.id,
    });
  });

  it('removes a review once if two admins send the request at the same time', async () => {
    const { _id } = await postReview(ann);
    const responses = await Promise.all([deleteReview(_id, admin), deleteReview(_id, await newAdmin(shop))]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});

async function runReviewsCli(...argv: string[]) {
  const [out, err]: string[][] = [[], []];
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => out!.push(String(text)) > 0),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => err!.push(String(text)) > 0),
  ];
  const code = await main(argv, { ...shop.database!.env, DEMO: 'off' });
  for (const spy of spies) spy.mockRestore();
  return { code, out: out!.join(''), err: err!.join('') };
}

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
