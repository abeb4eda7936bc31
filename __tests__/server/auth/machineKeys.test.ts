import { sql } from 'drizzle-orm';
import { main } from '../../../server/cli/keys';
import { listMachineKeys } from '../../../server/auth/machineKeys';
import type { ListedUser, Tool } from '../../../src/contract/entities';
import { runCli } from '../../support/cli';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

let kit: OrderTestKit;
beforeAll(async () => {
  kit = await openOrderTestKit();
});
afterAll(() => kit.close());

const runKeysCli = (...argv: string[]) => runCli(main, argv, { ...kit.database!.env, DEMO: 'off' });
async function addKey(name: string, may: string) {
  const { code, out } = await runKeysCli('add', name, '--may', may);
  expect(code).toBe(0);
  return { id: `key:${name}`, email: '', token: out.split('\n')[0]! };
}

describe("A machine's key", () => {
  it('works until it is removed, and is stored only as a hash', async () => {
    const machine = await addKey('erp-1', 'tools,orders');
    expect((await kit.call(machine, 'GET', '/order?limit=1')).status).toBe(200);
    expect((await runKeysCli('list')).out).toMatch(/^erp-1\ttools,orders\t\d{4}-\S+Z\n$/);
    expect(JSON.stringify(await listMachineKeys(kit.deps.db))).not.toContain(machine.token);
    expect(await runKeysCli('remove', 'erp-1')).toMatchObject({ code: 0 });
    expect((await kit.call(machine, 'GET', '/order?limit=1')).body.code).toBe('token_invalid');
    expect((await runKeysCli('list')).out).toBe('There are no keys.\n');
    const again = await addKey('erp-1', 'tools');
    expect((await kit.call(machine, 'GET', '/tool/all')).status).toBe(401);
    expect((await kit.call(again, 'GET', '/tool/all')).status).toBe(200);
  });

  it('is named in the record of each of its acts, and is neither listed as a user nor an admin', async () => {
    const machine = await addKey('shelf', 'tools');
    const tool = await kit.createTool({ price: 7 });
    expect((await kit.call<Tool>(machine, 'PATCH', `/tool/${tool.id}`, { price: 8 })).body.price).toBe(8);
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' };
    const csv = `_id,price,knownQuantity,availableQuantity\n${tool.id},9,100,120\n`;
    for (let n = 0; n < 2; n++)
      expect((await kit.call(machine, 'POST', '/tool/import', csv, headers)).status).toBe(200);
    expect(await kit.readAvailable(tool.id)).toBe(120);
    const acts = await kit.deps.db.execute(sql`select actor_id from admin_acts where subject = ${tool.id}`);
    expect(acts.rows).toEqual([{ actor_id: 'key:shelf' }, { actor_id: 'key:shelf' }]);
    const admin = await kit.createCustomer('admin');
    const { body: users } = await kit.call<ListedUser[]>(admin, 'GET', '/user');
    expect(users.map(({ _id }) => _id)).toEqual([admin.id]);
    const { rows } = await kit.deps.db.execute(sql`select role from users where id = 'key:shelf'`);
    expect(rows).toEqual([{ role: 'member' }]);
  });

  it.each([
    [['add', 'erp', '--may', 'users'], 'A key may open tools or orders, or both.'],
    [['add', 'erp', '--may', ''], 'A key may open tools or orders, or both.'],
    [['add', 'a b', '--may', 'tools'], 'A name has at most 40 letters'],
    [['add', 'erp'], 'Usage: npm run keys -- add NAME --may tools,orders | list | remove NAME'],
    [['remove', 'nobody'], 'There is no key nobody.'],
  ])('is refused for the arguments %j with the reason', async (argv, sentence) => {
    const { code, err } = await runKeysCli(...argv);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  });

  it('cannot be replaced by another with the same name', async () => {
    const machine = await addKey('twin', 'tools');
    expect((await runKeysCli('add', 'twin', '--may', 'orders')).err).toContain('There is a key twin already.');
    expect((await kit.call(machine, 'GET', '/tool/all')).status).toBe(200);
  });
});
