import { sql } from 'drizzle-orm';
import { buildWordQuery } from '../../../server/orders/orderSearch';
import type { orders } from '../../../server/db/schema';
import { payments } from '../../../server/db/schema';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { explainStatements, recordStatements } from './statements';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { releaseHolds } from '../../../server/holds/endHolds';

describe('The search of orders', () => {
  /** How many of the newest orders a search reads before it uses the index of words. */
  const NEWEST_ROWS = 1_000;
  let testKit: OrderTestKit;
  let ann: Customer, bob: Customer, admin: Customer;
  let toolId: string;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
    [ann, bob, admin] = [
      await testKit.createCustomer(),
      await testKit.createCustomer(),
      await testKit.createCustomer('admin'),
    ];
    toolId = (await testKit.createTool()).id;
  });
  afterAll(() => testKit.close());

  const insertOrder = async (values: Partial<typeof orders.$inferInsert> = {}, owner = ann) =>
    (await testKit.insertOrder(owner, toolId, values)).id;

  const PAID = { state: 'paid', unitPrice: 7, holdsStock: true } as const;
  const HELD = {
    state: 'unpaid',
    unitPrice: 7,
    holdsStock: true,
    holdUntil: new Date(Date.now() + 3_600_000),
  } as const;

  async function search(q: string, query = ''): Promise<string[]> {
    const { status, body } = await testKit.call<Order[]>(admin, 'GET', `/order?q=${encodeURIComponent(q)}${query}`);
    expect(status).toBe(200);
    return body.map(({ _id }) => _id);
  }

  describe('The words of a search', () => {
    it.each([
      ['claw hammer', "'hammer':* & 'claw':*"],
      ['ann.lee@mail-shop.example', "'example':* & 'mail':* & 'shop':* & 'ann':* & 'lee':*"],
      ['a claw hammer', "'hammer':* & 'claw':* & 'a'"],
      ['claw hammer a', "'hammer':* & 'claw':* & 'a':*"],
      ['claw hammer (a) ', "'hammer':* & 'claw':* & 'a':*"],
      ['ox ox 18', "'ox':* & '18':*"],
      ['Çelik çekiç', "'Celik':* & 'cekic':*"],
      ["it's \\ !|&:*", "'it':* & 's':*"],
    ])('each begin a word of the order, except for a single letter that is not the last word: %s', (typed, query) =>
      expect(buildWordQuery(typed)).toBe(query),
    );
  });

  describe('A search for', () => {
    it('words finds the orders that have all of them in the email, name, product or address, newest first', async () => {
      const older = await insertOrder({ client: 'Zoe Quill', productName: 'Adze, 2 lb', address: '3 Wharf Road' });
      const newer = await insertOrder({ client: 'Zoe Quill', productName: 'Adze handle', address: '3 Wharf Road' });
      await insertOrder({ client: 'Zoe Other', productName: 'Adze', address: '3 Wharf Road' });
      for (const q of ['zoe quill', ' QUI adz wha ', `quill ${ann.email}`, 'adze; quill'])
        expect([q, await search(q)]).toEqual([q, [newer, older]]);
      expect([await search('adze handle'), await search('quill 2 lb'), await search('uill')]).toEqual([
        [newer],
        [older],
        [],
      ]);
      expect([await search('zoe nobody'), await search('!?')]).toEqual([[], []]);
    });

    it('words finds no deleted order, and only orders of the selected status and after the cursor', async () => {
      const insert = (values = {}) => insertOrder({ productName: 'Froe', ...values });
      const [unpriced, paid, held] = [await insert(), await insert(PAID), await insert(HELD)];
      const shipped = await insert({ ...PAID, shippedAt: new Date() });
      await insert({ state: 'deleted', deletedAt: new Date() });
      expect(await search('froe')).toEqual([shipped, held, paid, unpriced]);
      for (const [status, id] of Object.entries({ unpriced, paid, unpaid: held, shipped }))
        expect(await search('froe', `&status=${status}`)).toEqual([id]);
      const { headers } = await testKit.call(admin, 'GET', '/order?q=froe&limit=3');
      const next = /after=\d+/.exec(headers.get('link')!)![0];
      expect(await search('froe', `&${next}`)).toEqual([unpriced]);
    });

    it('words finds them with and without accents, and on both sides of any dash or quotation mark', async () => {
      const id = await insertOrder({
        client: 'Jose\u0301 Smith–Jones',
        productName: 'L’Oréal Nürnberg',
        address: 'Calle «Sol»',
      });
      for (const q of [
        'José',
        'jose',
        'jones',
        'Smith–Jones',
        'smith-jones',
        'L’Oréal',
        "l'oreal",
        'nurnberg',
        'Nu\u0308rn',
        'sol',
      ])
        expect([q, await search(q)]).toEqual([q, [id]]);
    });

    it('an order number finds its order, but a word of eight hexadecimal digits is searched as a word', async () => {
      const id = await insertOrder({ id: 'deed0001-1234-4000-8000-00000000abcd' });
      await insertOrder({ id: 'deed0002-0000-4000-8000-000000000000' });
      const last = await insertOrder({ id: 'deed0003-ffff-4fff-bfff-ffffffffffff' });
      expect([await search('deed0001'), await search('DEED0001'), await search('deed0003')]).toEqual([
        [id],
        [id],
        [last],
      ]);
      const words = ['Defaced1', 'Coffee Accede01', 'Facade01x', '1facade01'];
      const found = [];
      for (const productName of words) found.push(await insertOrder({ productName }));
      for (const [i, q] of words.entries()) expect(await search(q.toLowerCase())).toEqual([found[i]]);
      const deleted = await insertOrder({
        id: 'deed0004-0000-4000-8000-000000000000',
        state: 'deleted',
        deletedAt: new Date(),
      });
      expect([await search('deed0004'), await search(deleted)]).toEqual([[], []]);
    });

    it('an order id finds this order, even with spaces around it', async () => {
      const id = await insertOrder();
      expect([await search(` ${id} `), await search(id.toUpperCase()), await search(id, '&status=paid')]).toEqual([
        [id],
        [id],
        [],
      ]);
      expect(await search('00000000-0000-4000-8000-000000000000')).toEqual([]);
    });

    it('a transaction id finds the order that it paid', async () => {
      const id = await insertOrder(PAID);
      await testKit.deps.db
        .insert(payments)
        .values({ intentId: 'pi_first_1', orderId: id, amountCents: 3_500, currency: 'usd' });
      const words = [await insertOrder({ client: 'Happi_first' }), await insertOrder({ client: 'pi_first Tools' })];
      expect([
        await search('pi_first_1'),
        await search('pi_first_2'),
        await search('pi_first_1', '&status=unpaid'),
      ]).toEqual([[id], [], []]);
      expect([await search('happi_first'), await search('pi_first tools')]).toEqual(words.map((word) => [word]));
    });

    it('a word of the reference finds the order', async () => {
      const id = await insertOrder({ reference: 'PO 4711-B' });
      expect([await search('4711'), await search('po 4711-b')]).toEqual([[id], [id]]);
    });

    it('a complete email finds the orders that show it, whoever has the address now, and no others', async () => {
      const earlier = await insertOrder({ email: 'former@mail.example' }, bob);
      const held = await insertOrder({ ...HELD, email: 'former@mail.example' });
      const later = await insertOrder({}, bob);
      await insertOrder({ address: `c/o ${bob.email}`, email: 'former@mail.example.org' });
      expect(await search(` ${bob.email.toUpperCase()}`)).toEqual([later]);
      expect(await search('former@mail.example')).toEqual([held, earlier]);
      expect(await search('nobody@mail.example')).toEqual([]);
    });
  });

  const recordSearch = (work: () => Promise<unknown>) => recordStatements(testKit.deps.db.$client, work);

  describe('A search for words', () => {
    it('finds orders that are older than the newest thousand by the index of words', async () => {
      const old = await insertOrder({ productName: 'Spokeshave' });
      const oldHeld = await insertOrder({ ...HELD, productName: 'Spokeshave' });
      await testKit.insertOrders(bob, NEWEST_ROWS);
      let found: string[] = [];
      const statements = await recordSearch(async () => (found = await search('spokeshave')));
      expect(found).toEqual([oldHeld, old]);
      const [from, to] = ['begin', 'commit'].map((name) => statements.findIndex(({ text }) => text === name));
      expect(await explainStatements(testKit.deps.db.$client, statements.slice(from, to))).toContain('orders_find');
    });

    it('reads only the newest orders if these fill the page', async () => {
      const statements = await recordSearch(async () => expect(await search('hammer', '&limit=2')).toHaveLength(2));
      const searches = statements.filter(({ text }) => text.includes('to_tsquery'));
      expect(searches.map(({ text }) => /order by position desc limit \$\d/.test(text))).toEqual([true]);
      expect(statements.map(({ text }) => text)).not.toContain('begin');
    });
  });
});

describe('The plans of statements', () => {
  /** With fewer orders, PostgreSQL may prefer to read the whole table. */
  const ORDERS_OF_OTHERS = 5_000;
  let testKit: PaymentTestKit;
  let ann: Customer;
  beforeAll(async () => {
    testKit = await openPaymentTestKit({ withoutWebhooks: true });
    const [others, { id: toolId }] = [await testKit.createCustomer(), await testKit.createTool()];
    ann = await testKit.createCustomer();
    await testKit.queryRows(sql`
    with held as (
      insert into orders (owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
        holds_stock, hold_until)
      select ${others.id}, ${others.email}, 'Bob', ${toolId}, 'Hammer', 7, 1, 'a', 'p', 'unpaid',
        true, now() + interval '2 hours' from generate_series(1, ${ORDERS_OF_OTHERS}::int) returning id
    ), tried as (
      insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until)
      select id, 1, id, id, 700, 'usd', 'canceled', now() from held returning order_id
    ), paid as (
      insert into payments (intent_id, order_id, outcome, reason, amount_cents, currency)
      select order_id, order_id, 'refund due', 'unpaid order', 700, 'usd' from tried returning intent_id, order_id
    )
    insert into refunds (intent_id, order_id, amount_cents, currency, reason, state)
    select intent_id, order_id, 700, 'usd', 'unpaid order', 'failed' from paid`);
    await testKit.queryRows(sql`analyze`);
  });
  afterAll(() => testKit.close());

  async function planOf(work: () => Promise<unknown>): Promise<string> {
    const pool = testKit.deps.db.$client;
    return explainStatements(pool, await recordStatements(pool, work));
  }

  const READS_WHOLE_TABLE = /Seq Scan on (orders|payments|payment_attempts|refunds)\b/;
  /** More than half of the stock, so that what others hold of the tool is counted. */
  const placeLargeOrder = () => testKit.createUnpaidOrder({ customer: ann, quantity: 60 });

  it('no statement reads all orders to place an order, however much of the stock it takes', async () => {
    const plan = await planOf(placeLargeOrder);
    expect(plan).toContain('orders_held');
    expect(plan).not.toMatch(READS_WHOLE_TABLE);
  });

  it.each([
    ['deleted', (id: string) => testKit.call(ann, 'DELETE', `/order/${id}`)],
    ['released by the operator', (_: string, toolId: string) => releaseHolds(testKit.deps, toolId)],
  ])('no statement reads all orders when a held order is %s, also one with an open payment', async (_name, end) => {
    for (const hasPayment of [false, true]) {
      const { order, tool, total } = await placeLargeOrder();
      if (hasPayment) expect((await testKit.createIntent(ann, order._id, total)).status).toBe(200);
      const plan = await planOf(() => end(order._id, tool.id));
      expect(plan).toContain('orders_pkey');
      expect(plan).not.toMatch(READS_WHOLE_TABLE);
      expect(await testKit.readAvailable(tool.id)).toBe(100);
    }
  });
});
