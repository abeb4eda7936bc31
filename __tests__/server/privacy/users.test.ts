import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { main } from '../../../server/cli/users';
import * as mail from '../../../server/db/schema/mail';
import * as order from '../../../server/db/schema/orders';
import * as payment from '../../../server/db/schema/payments';
import * as rest from '../../../server/db/schema/shop';
import { erasePerson } from '../../../server/privacy/erasePerson';
import { PERSONAL_ROWS } from '../../../server/privacy/personalData';
import { putUser } from '../../support/api';
import { CARDS } from '../../support/cards';
import { runCli } from '../../support/cli';
import { waitUntilBlocked } from '../../support/database';
import {
  exchangeIdToken,
  newAccount,
  newEmail,
  signInToAccount,
  type Customer,
  callAccounts,
} from '../../support/customers';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let testKit: PaymentTestKit;
let admin: Customer;
beforeAll(async () => {
  testKit = await openPaymentTestKit();
  admin = await testKit.createCustomer('admin');
});
afterAll(async () => {
  expect(await testKit.countWrongStocks()).toBe(0);
  await testKit.close();
});

const runUsersCli = (...argv: string[]) => runUsersCliWith({}, ...argv);
const runUsersCliWith = (env: Record<string, string>, ...argv: string[]) =>
  runCli(main, argv, { ...testKit.database!.env, DEMO: 'off', ...env });

/** Each person has other data, so that a search finds those of one person only. */
const newPerson = (name: string) => ({
  name: `${name} Quarterstaff`,
  email: newEmail(name.toLowerCase()),
  address: `${name} Lane 17`,
  phone: `+1 555 0142 ${name}`,
  reference: `${name} 4711`,
  picture: `https://pictures.example/${name}.png`,
});
type Person = ReturnType<typeof newPerson>;

async function signUp({ name, email }: Person): Promise<Customer> {
  await newAccount(email, name, undefined, testKit.origin);
  const account = await signInToAccount(email, undefined, testKit.origin);
  const body = { requestType: 'VERIFY_EMAIL', idToken: account.idToken };
  await callAccounts(testKit.origin, 'sendOobCode', body);
  return { id: account.localId, email, token: await exchangeIdToken(email, account, testKit.origin) };
}

async function openPerson(name: string) {
  const person = newPerson(name);
  const customer = await signUp(person);
  const { address, phone, reference, email, picture } = person;

  async function order(quantity = 2) {
    const { name: productName, id } = await testKit.createTool();
    const draft = { productName, toolId: id, totalQuantity: quantity, address, phone, reference };
    return { ...(await testKit.placeOrder(customer, draft, `key-${id}`)).body, total: quantity * 7, toolId: id };
  }
  const openPayment = async ({ _id, total }: { _id: string; total: number }) =>
    (await testKit.createIntent(customer, _id, total)).body.clientSecret;
  const confirm = async (clientSecret: string, card = CARDS.pays) => {
    const billing = { 'billing_details[name]': person.name, 'billing_details[email]': email };
    return (await testKit.confirm(clientSecret, card, billing)).intentId;
  };
  async function pay(placed: { _id: string; total: number }, card = CARDS.pays) {
    const secret = await openPayment(placed);
    await confirm(secret, CARDS.declined);
    const intent = await confirm(secret, card);
    expect((await testKit.patchOrder(customer, placed._id, intent)).status).toBe(200);
    return { ...placed, intent };
  }
  const ship = async ({ _id }: { _id: string }, despiteDispute?: true) => {
    const shipment = { carrier: 'UPS', tracking: '1Z', note: `Left with ${person.name}`, despiteDispute };
    expect((await testKit.call(admin, 'POST', `/order/${_id}/shipment`, shipment)).status).toBe(201);
  };
  const refund = ({ _id }: { _id: string }) =>
    testKit.call(admin, 'POST', `/order/${_id}/refund`, { reason: `Asked by ${person.name}`, restock: true });
  const review = () =>
    testKit.call<{ _id: string }>(customer, 'POST', '/review', { description: 'Sharp.', ratings: 5, img: picture });
  const saveProfile = () =>
    testKit.call(customer, 'POST', '/profile', { address, phone, linkedIn: 'https://people.example/q', education: '' });
  return { ...person, customer, order, openPayment, pay, ship, refund, review, saveProfile };
}

/** A person with orders in all states in which they can be erased, reviews, emails and a profile. */
async function openEventfulPerson(name: string) {
  const person = await openPerson(name);
  expect((await person.saveProfile()).status).toBe(201);
  const { body: shown } = await person.review();
  const rename = (displayName: string) =>
    testKit.queryRows(sql`update users set display_name = ${displayName} where id = ${person.customer.id}`);
  await rename(`${person.name} before`);
  await testKit.call(admin, 'DELETE', `/review/${(await person.review()).body._id}`);
  await rename(person.name);
  const unpaid = await person.order();
  const unpriced = await person.order(1_000);
  const shipped = await person.pay(await person.order());
  await person.ship(shipped);
  const refunded = await person.pay(await person.order());
  expect((await person.refund(refunded)).status).toBeLessThan(300);
  const deleted = await person.order();
  await person.openPayment(deleted);
  expect((await testKit.call(person.customer, 'DELETE', `/order/${deleted._id}`)).status).toBe(204);
  return { ...person, shown, unpaid, unpriced, shipped, refunded, deleted };
}

/** @returns the tables that have one of these texts in any column, in any schema */
async function findTablesWith(texts: string[]): Promise<string[]> {
  const tables = await testKit.queryRows(sql`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`);
  const found: string[] = [];
  for (const { name } of tables)
    for (const text of texts) {
      const has = sql`position(lower(${text}) in lower(t::text)) > 0`;
      const [row] = await testKit.queryRows(sql`select count(*) as n from ${sql.raw(name!)} t where ${has}`);
      if (Number(row!['n']) > 0) found.push(`${name}: ${text}`);
    }
  return found;
}
const textsOf = ({ name, email, address, phone, reference, picture }: Person) => {
  const [mailbox] = email.split('@');
  return [name, email, mailbox!, address, phone, reference, picture];
};

const readBooks = (ownerId: string) =>
  testKit.queryRows(sql`
    select o.id, o.tool_id, o.product_name, o.unit_price, o.quantity, o.state, o.holds_stock, o.created_at, o.shipped_at,
      o.refunded_at, p.intent_id, p.amount_cents, p.currency, p.outcome, p.created_at as paid_at,
      r.amount_cents as refunded_cents, r.state as refund
    from orders o join payments p on p.order_id = o.id left join refunds r on r.payment_id = p.intent_id
    where o.owner_id = ${ownerId} order by o.id`);

describe('npm run users -- erase', () => {
  // Clause C.5.15
  it('leaves nothing of a person but what the books need, and nothing of others is lost', async () => {
    const ann = await openEventfulPerson('Annabel');
    const bob = await openEventfulPerson('Bartholomew');
    await testKit.deps.catalog.reportChange('reviews');
    const tablesOfBob = await findTablesWith(textsOf(bob));
    const tablesOfAnn = (await findTablesWith(textsOf(ann))).map((line) => line.split(': ')[0]);
    for (const name of [
      'users',
      'orders',
      'mails',
      'reviews',
      'shipments',
      'refunds',
      'admin_acts',
      'idempotency_keys',
    ])
      expect(tablesOfAnn).toContain(`public.${name}`);
    const books = await readBooks(ann.customer.id);
    expect(books.map(({ state }) => state).sort()).toEqual(['paid', 'refunded']);

    expect(await runUsersCli('erase', ` ${ann.email.toUpperCase()}`)).toEqual({
      code: 0,
      out: `Everything about ${ann.email} is erased, except what the books need.\n`,
      err: '',
    });

    expect(await findTablesWith(textsOf(ann))).toEqual([]);
    expect(await findTablesWith(textsOf(bob))).toEqual(tablesOfBob);
    expect(await readBooks(ann.customer.id)).toEqual(books);
    expect(await testKit.runAudit()).toEqual([]);
    for (const { _id, toolId } of [ann.unpaid, ann.unpriced, ann.deleted]) {
      expect(await testKit.queryRows(sql`select from orders where id = ${_id}`)).toEqual([]);
      expect(await testKit.readAvailable(toolId)).toBe(100);
    }
    const { body: paid } = await testKit.call(admin, 'GET', `/order/${ann.shipped._id}`);
    expect(paid).toMatchObject({ status: 'shipped', client: '', email: '', price: 7, totalQuantity: 2 });
    const { body: reviews } = await testKit.call<{ _id: string }[]>(null, 'GET', '/review');
    expect(reviews.find(({ _id }) => _id === ann.shown._id)).toMatchObject({ name: 'A customer' });
    expect(await runUsersCli('erase', ann.email)).toMatchObject({
      code: 1,
      err: `No user has the email ${ann.email}.\n`,
    });
  });

  it('ends all sessions, deletes the account, and a new account with the email has nothing of the old one', async () => {
    const person = await openEventfulPerson('Clementine');
    const account = await signInToAccount(person.email, undefined, testKit.origin);
    expect((await runUsersCli('erase', person.email)).code).toBe(0);
    const { status } = await testKit.call(person.customer, 'GET', `/order?email=${person.email}`);
    expect([status, (await putUser(testKit.origin, person.email, account.idToken)).status]).toEqual([401, 401]);
    await expect(signInToAccount(person.email, undefined, testKit.origin)).rejects.toThrow('400');
    const again = await signUp({ ...newPerson('Clementine'), email: person.email });
    expect((await testKit.call(again, 'GET', `/order?email=${person.email}`)).body).toEqual([]);
  });

  it('ends a sign-in that came so soon after others that its time is ahead of the clock', async () => {
    const person = await openPerson('Emmeline');
    const signIn = () => signInToAccount(person.email, undefined, testKit.origin);
    const [first, , third] = [await signIn(), await signIn(), await signIn()];
    const { auth_time: seconds } = JSON.parse(atob(first.idToken.split('.')[1]!)) as { auth_time: number };
    await erasePerson(testKit.deps.db, person.email, [], new Date(seconds * 1000));
    expect((await putUser(testKit.origin, person.email, third.idToken)).status).toBe(401);
  });

  // Clause C.5.16
  it('refuses while an order is being paid, must be shipped or refunded or is disputed, and changes nothing', async () => {
    const person = await openPerson('Dorothea');
    const [open, paid, disputed] = [await person.order(), await person.order(), await person.order()];
    const [refunded, returned, late] = [await person.order(), await person.order(), await person.order()];
    await person.openPayment(open);
    await person.pay(paid);
    await person.pay(disputed, CARDS.disputed);
    await testKit.deps.db.execute(sql`update orders set dispute = 'open' where id = ${disputed._id}`);
    for (const order of [refunded, returned]) {
      await person.pay(order);
      await person.refund(order);
    }
    await testKit.deps.db.execute(sql`update refunds set state = 'requested' where order_id = ${refunded._id}`);
    await testKit.deps.db.execute(sql`update refunds set state = 'failed' where order_id = ${returned._id}`);
    await testKit.deps.db.execute(sql`update orders set refund_failed = true where id = ${returned._id}`);
    await testKit.queryRows(sql`insert into payments (intent_id, order_id, outcome, reason, amount_cents, currency)
      values ('pi_late', ${late._id}, 'refund due', 'deleted order', 1400, 'usd')`);
    const before = await findTablesWith(textsOf(person));
    const { code, err } = await runUsersCli('erase', person.email);
    expect([code, err.split('\n')[0]]).toEqual([1, 'Nothing was changed, because these orders are not finished:']);
    expect(err.trim().split('\n').slice(1).sort()).toEqual(
      [
        `${open._id} is being paid`,
        `${paid._id} must be shipped or refunded`,
        `${disputed._id} is disputed`,
        `${refunded._id} must be refunded`,
        `${returned._id} must be refunded`,
        `${late._id} must be refunded`,
      ].sort(),
    );
    expect(await findTablesWith(textsOf(person))).toEqual(before);
  });

  it('leaves no order that the person placed at the same moment', async () => {
    const person = await openPerson('Katharina');
    testKit.runBefore('place order', () => runUsersCli('erase', person.email));
    await person.order();
    expect(await findTablesWith(textsOf(person))).toEqual([]);
  });

  it('leaves no profile and no review that the person sent at the same moment', async () => {
    const person = await openPerson('Leonora');
    const pending = await testKit.deps.db.transaction(async (tx) => {
      await tx.execute(sql`update users set email = null where id = ${person.customer.id}`);
      const responses = [person.saveProfile(), person.review()];
      await waitUntilBlocked(testKit.deps, 2);
      return responses;
    });
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await findTablesWith([person.phone, person.picture])).length).toBe(0);
  });

  it('changes nothing if it is interrupted', async () => {
    const person = await openEventfulPerson('Gwendolyn');
    const before = await findTablesWith(textsOf(person));
    const interrupt = () => Promise.reject(new Error('interrupted'));
    const service = { name: 'interrupted', read: interrupt, erase: interrupt };
    await expect(erasePerson(testKit.deps.db, person.email, [service], new Date())).rejects.toThrow('interrupted');
    expect(await findTablesWith(textsOf(person))).toEqual(before);
    expect(await testKit.stateOf(person.unpaid._id)).toBe('unpaid');
  });

  it('also erases what the embedded services keep of a shop that has moved to Firebase and Stripe', async () => {
    const vendors = { ...FIREBASE_ENV, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x' };
    const person = await openEventfulPerson('Hildegard');
    const { out } = await runUsersCliWith(vendors, 'export', person.email);
    expect(JSON.parse(out)).toMatchObject({ embeddedIdentity: { accounts: [{ email: person.email }] } });
    expect((await runUsersCliWith(vendors, 'erase', person.email)).code).toBe(0);
    expect(await findTablesWith(textsOf(person))).toEqual([]);

    // Firebase gave this person another id.
    const other = await openPerson('Isolde');
    await testKit.deps.db.execute(sql`update users set id = 'firebase-id' where id = ${other.customer.id}`);
    expect((await runUsersCliWith(vendors, 'erase', other.email)).code).toBe(0);
    expect(await findTablesWith(textsOf(other))).toEqual([]);
  });

  it('refuses to erase an admin', async () => {
    const { code, err } = await runUsersCli('erase', admin.email);
    expect([code, err]).toEqual([1, expect.stringContaining(`npm run admin -- remove ${admin.email}`)]);
  });
});

describe('npm run users -- export', () => {
  // Clause C.5.14
  it('prints everything that the database has about a person, and no secrets', async () => {
    const person = await openEventfulPerson('Ernestine');
    const other = await openEventfulPerson('Florentine');
    const { code, out } = await runUsersCli('export', person.email);
    const data = JSON.parse(out) as Record<string, Record<string, unknown>[]>;
    expect([code, data['userId'], data['email']]).toEqual([0, person.customer.id, person.email]);
    expect(data['orders']!.map(({ id }) => id).sort()).toEqual(
      [person.unpaid, person.unpriced, person.shipped, person.refunded, person.deleted].map(({ _id }) => _id).sort(),
    );
    expect(data['profiles']).toMatchObject([{ address: person.address, phone: person.phone }]);
    expect(data['reviews']).toMatchObject([{ name: person.name, img: person.picture }]);
    expect(data['embeddedIdentity']).toMatchObject({ accounts: [{ email: person.email, displayName: person.name }] });
    expect(JSON.stringify(data['embeddedPayments'])).toContain(person.name);
    for (const text of textsOf(other)) expect(out).not.toContain(text);
    expect(out).not.toMatch(/passwordHash|tokenHash|oobCode/);
  });
});

/** Columns of free text that erasing a person leaves as they are. */
const IMPERSONAL_COLUMNS = [
  ...['admin_acts.actor_id', 'admin_acts.subject', 'locks.name', 'machine_keys.name'],
  ...['machine_keys.token_hash', 'orders.owner_id', 'orders.product_name'],
  ...['payment_attempts.currency', 'payment_attempts.idempotency_key', 'payment_attempts.intent_id'],
  ...['payment_reversals.id', 'payment_reversals.intent_id', 'payment_reversals.status'],
  ...[
    'payments.currency',
    'payments.intent_id',
    'payments.invoice',
    'payments.reason',
    'payments.seller',
    'pictures.hash',
    'promotions.actor_id',
    'promotions.target_id',
  ],
  ...['provider_events.id', 'provider_events.type', 'rate_limits.bucket'],
  ...[
    'refunds.currency',
    'refunds.intent_id',
    'refunds.number',
    'refunds.payment_id',
    'refunds.refund_id',
    'refunds.requested_by',
    'reviews.description',
  ],
  ...['secrets.name', 'secrets.value', 'tools.description', 'tools.img', 'tools.name', 'users.id'],
];

it('every column of free text is erased with its person or known to have nothing personal', () => {
  const tables = [mail, order, payment, rest].flatMap((part) =>
    Object.values<unknown>(part).filter((value) => is(value, PgTable)),
  );
  const remaining = tables.flatMap((table) => {
    const entries = PERSONAL_ROWS.filter((rows) => rows.table === table).map(({ erase }) => erase);
    const isDeleted = entries.length > 0 && entries.every((erase) => erase === 'delete');
    const erased = entries.flatMap((erase) => (typeof erase === 'object' ? Object.keys(erase) : []));
    return Object.entries(getTableColumns(table))
      .filter(([, { columnType, enumValues }]) => /Text|Json/.test(columnType) && !enumValues?.length)
      .filter(([key]) => !isDeleted && !erased.includes(key))
      .map(([, { name }]) => `${getTableName(table)}.${name}`);
  });
  expect(remaining.sort()).toEqual(IMPERSONAL_COLUMNS);
});
