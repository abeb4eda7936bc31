import { ownSecret } from '../../../server/db/generatedSecrets';
import { accessTokens } from '../../../server/auth/accessTokens';
import { type Customer, demote } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { collectRoutes, OTHER_ROUTES, type Call } from '../../support/routes';

const CALLERS = ['stranger', 'garbage', 'expired', 'other', 'owner', 'unverified', 'demoted', 'admin'] as const;
type Who = (typeof CALLERS)[number];
type Place = { owner: Customer; order: string; tool: string };
type Row = { path: (at: Place) => string; body?: (at: Place) => unknown; answers: Record<Who, number> };

const nobody = { stranger: 401, garbage: 401, expired: 401 };
/** What the other customer, the owner and an admin are answered; whoever else is signed in is another customer. */
const signedIn = (other: number, owner: number, admin: number) => ({
  ...nobody,
  ...{ other, owner, admin, unverified: other, demoted: other },
});
const everyone = Object.fromEntries(CALLERS.map((who) => [who, 200])) as Record<Who, number>;
const noOne = Object.fromEntries(CALLERS.map((who) => [who, 401])) as Record<Who, number>;

const TOOL = { price: 5, minimumOrderQuantity: 1, availableQuantity: 9, description: 'x', img: '/x.svg' };
const FORM = { address: '1 Main', phone: '5', linkedIn: '/x' };
const byId = ({ order }: Place) => `/order/${order}`;
const mail = ({ owner }: Place) => encodeURIComponent(owner.email);

const MATRIX: Record<Call | 'GET /order of one', Row> = {
  'GET /tool': { path: () => '/tool', answers: everyone },
  'GET /tool/:id': { path: ({ tool }) => `/tool/${tool}`, answers: everyone },
  'GET /review': { path: () => '/review', answers: everyone },
  'POST /tool': { path: () => '/tool', body: () => ({ name: 'x', ...TOOL }), answers: signedIn(403, 403, 201) },
  'POST /review': {
    path: () => '/review',
    body: () => ({ description: 'x', ratings: 5, img: '/x.svg' }),
    answers: signedIn(201, 201, 201),
  },
  'DELETE /review/:id': {
    path: () => '/review/00000000-0000-4000-8000-000000000000',
    answers: signedIn(403, 403, 404),
  },
  'POST /order': {
    path: () => '/order',
    body: ({ owner, tool }) => ({
      email: owner.email,
      productName: 'x',
      toolId: tool,
      address: 'x',
      phone: '1',
      totalQuantity: 1,
    }),
    answers: signedIn(403, 201, 403),
  },
  'GET /order of one': { path: (at) => `/order?email=${mail(at)}`, answers: signedIn(403, 200, 200) },
  'GET /order': { path: () => '/order', answers: signedIn(403, 403, 200) },
  'GET /order/:id': { path: byId, answers: signedIn(404, 200, 200) },
  'DELETE /order/:id': { path: byId, answers: signedIn(404, 204, 204) },
  'PATCH /order/:id': {
    path: byId,
    body: ({ order }) => ({ order, transactionId: 'pi_made_up' }),
    answers: signedIn(404, 422, 404),
  },
  'POST /create-payment-intent': {
    path: ({ order }) => `/create-payment-intent?order=${order}`,
    body: () => ({ totalPrice: 7 }),
    answers: signedIn(404, 200, 404),
  },
  'PUT /user/:email': {
    path: (at) => `/user/${mail(at)}`,
    body: ({ owner }) => ({ email: owner.email }),
    answers: noOne,
  },
  'GET /user': { path: () => '/user', answers: signedIn(403, 403, 200) },
  'PUT /user/admin/:email': { path: () => '/user/admin/nobody@mail.example', answers: signedIn(403, 403, 404) },
  'GET /admin/:email': { path: (at) => `/admin/${mail(at)}`, answers: signedIn(403, 200, 200) },
  'POST /profile': {
    path: () => '/profile',
    body: ({ owner }) => ({ email: owner.email, ...FORM }),
    answers: signedIn(403, 201, 403),
  },
  'GET /profile/:email': { path: (at) => `/profile/${mail(at)}`, answers: signedIn(403, 200, 200) },
  // The last row: afterwards these sessions are over.
  'DELETE /session': { path: () => '/session', answers: signedIn(204, 204, 204) },
};

const { routes, onRoute } = collectRoutes();
const tokens = {} as Record<Who, string | undefined>;
let kit: OrderTestKit;
let owner: Customer;
let tool: string;

beforeAll(async () => {
  kit = await openOrderTestKit({
    env: { MAX_UNPAID_ORDERS: '10000' },
    onRoute,
  });
  owner = await kit.customer();
  tool = (await kit.tool({ availableQuantity: 10_000 })).id;
  const [other, unverified, demoted, admin] = [
    await kit.customer(),
    await kit.customer(),
    await kit.customer('admin'),
    await kit.customer('admin'),
  ];
  await demote(kit, demoted);
  await kit.deps.db.$client.query('update users set email_verified = (id <> $1)', [unverified.id]);
  const twoHoursAgo = () => new Date(Date.now() - 2 * 3_600_000);
  const old = accessTokens(await ownSecret(kit.deps.db, 'access-token'), twoHoursAgo);
  Object.assign(tokens, { garbage: 'garbage', expired: await old.issue(owner.id), owner: owner.token });
  Object.assign(tokens, {
    other: other.token,
    unverified: unverified.token,
    demoted: demoted.token,
    admin: admin.token,
  });
});
afterAll(() => kit.close());

test('every call has a row', () => {
  expect(new Set(Object.keys(MATRIX).map((name) => name.replace(' of one', '')))).toEqual(
    new Set(routes.filter((route) => !OTHER_ROUTES.includes(route))),
  );
});

test.each(Object.entries(MATRIX))(
  '%s answers each of eight callers as it should',
  async (name, { path, body, answers }) => {
    const [method = ''] = name.split(' ');
    const got: Record<string, number> = {};
    for (const who of CALLERS) {
      const draft = { productName: 'x', toolId: tool, totalQuantity: 1 };
      const { body: order } = await kit.order({ ...owner, token: tokens.owner! }, draft);
      const at = { owner, order: order._id, tool };
      const token = tokens[who];
      const caller = token === undefined ? null : { ...owner, token };
      got[who] = (await kit.call(caller, method, path(at), body?.(at))).status;
    }
    expect(got).toEqual(answers);
  },
);
