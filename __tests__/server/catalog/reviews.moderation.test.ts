import { eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { main } from '../../../server/cli/reviews';
import { reviews } from '../../../server/db/schema';
import type { Review } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
import { expectEventually, waitUntil } from '../../support/wait';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
let admin: Customer;
let ann: Customer;
beforeAll(async () => {
  shop = await startShop();
  admin = await newAdmin(shop);
  ann = await newCustomer(shop, { displayName: 'Ann Lee' });
});
afterAll(() => shop.close());

async function write(who: Customer, description: string = randomUUID()): Promise<Review> {
  const draft = { description, ratings: 5, img: '/images/people/ann.svg' };
  const { body } = await callShop(shop.origin, '/review', { method: 'POST', token: who.token, body: draft });
  return body as unknown as Review;
}
const remove = (id: string, who?: Customer) =>
  callShop(shop.origin, `/review/${id}`, { method: 'DELETE', token: who?.token });
const ids = async () => ((await callShop(shop.origin, '/review')).body as unknown as Review[]).map(({ _id }) => _id);
const isOnHomePage = async (text: string) =>
  (await (await fetch(shop.origin, { headers: { accept: 'text/html' } })).text()).includes(text);

describe('DELETE /review/{id}', () => {
  it('removes a review for an admin, from the list at once and from the home page', async () => {
    const { _id, description } = await write(ann);
    await expectEventually(() => isOnHomePage(description), true);
    const { status, body } = await remove(_id, admin);
    expect([status, body]).toEqual([204, {}]);
    expect(await ids()).not.toContain(_id);
    await expectEventually(() => isOnHomePage(description), false);
    expect((await remove(_id, admin)).status).toBe(404);
  });

  it('answers 401 without a session and 403 to everyone but admins, the author included', async () => {
    const { _id } = await write(ann);
    const other = await newCustomer(shop);
    expect([(await remove(_id)).status, (await remove(_id, ann)).status, (await remove(_id, other)).status]).toEqual([
      401, 403, 403,
    ]);
    expect((await remove('nothing', ann)).status).toBe(403);
    expect(await ids()).toContain(_id);
  });

  it.each([randomUUID(), '1', 'x'.repeat(200), '%00', '%F0%9F%98%80', "'%20or%20true", '..%2f..%2forder'])(
    'answers 404 for the unknown id %s',
    async (id) => {
      const { status, body } = await remove(id, admin);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  it('removes a review once when two admins press at once', async () => {
    const { _id } = await write(ann);
    const answers = await Promise.all([remove(_id, admin), remove(_id, await newAdmin(shop))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});

async function run(...argv: string[]) {
  const [out, err]: string[][] = [[], []];
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => out!.push(String(text)) > 0),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => err!.push(String(text)) > 0),
  ];
  const code = await main(argv, { DATABASE_URL: shop.database!.url, DEMO: 'off' });
  for (const spy of spies) spy.mockRestore();
  return { code, out: out!.join(''), err: err!.join('') };
}

describe('npm run reviews', () => {
  it('lists the newest first, with id, author and text, and nothing that could command a terminal', async () => {
    const older = await write(ann);
    const description = 'Older\u009b2J one\nand more';
    await shop.deps.db.update(reviews).set({ description }).where(eq(reviews.id, older._id));
    const newer = await write(ann, 'Newer one');
    const { code, out } = await run('list');
    const [first, second] = out.split('\n').map((line) => line.split('\t'));
    expect([code, first![0], second![0]]).toEqual([0, newer._id, older._id]);
    expect([second![2], second![3], second![4], second![5]]).toEqual([
      ann.email,
      'Ann Lee',
      '5',
      'Older 2J one and more',
    ]);
  });

  it('removes one by its id, and the running server shows it within a second', async () => {
    const { _id } = await write(ann);
    expect(await run('remove', _id)).toEqual({ code: 0, out: `The review ${_id} is removed.\n`, err: '' });
    await waitUntil(async () => !(await ids()).includes(_id), 1_500);
    expect(await run('remove', _id)).toEqual({ code: 1, out: '', err: `There is no review ${_id}.\n` });
    expect((await run('remove', 'abc')).code).toBe(1);
  });

  it('removes all of one email, and nobody else’s', async () => {
    const [spammer, other] = [await newCustomer(shop, { email: 'spam@mail.example' }), await newCustomer(shop)];
    const kept = await write(other);
    const spam = [await write(spammer), await write(spammer)].map(({ _id }) => _id);
    const { code, out } = await run('remove-by', ' SPAM@mail.example');
    expect([code, out]).toEqual([0, '2 reviews of spam@mail.example removed.\n']);
    await expectEventually(async () => (await ids()).filter((id) => spam.includes(id)).length, 0);
    expect(await ids()).toContain(kept._id);
    expect((await run('remove-by', 'spam@mail.example')).out).toBe('0 reviews of spam@mail.example removed.\n');
    expect(await run('remove-by', 'nobody@mail.example')).toEqual({
      code: 1,
      out: '',
      err: 'No user has the email nobody@mail.example.\n',
    });
  });

  it('explains itself when it is called wrongly', async () => {
    for (const argv of [[], ['purge'], ['remove'], ['remove-by'], ['list', 'all'], ['remove', 'a', 'b']])
      expect(await run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining('Usage: npm run reviews') });
  });
});
