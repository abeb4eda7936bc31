import { eq } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { main as clear } from '../../../server/cli/demo';
import { tools, users } from '../../../server/db/schema';
import { call } from '../../support/identity';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';
import { startServer } from '../../support/server';

let kit: OrderTestKit;
afterEach(async () => {
  jest.restoreAllMocks();
  await kit.close();
});

const signIn = (origin: string, email: string) =>
  call(origin, 'signInWithPassword', { email, password: DEMO_PASSWORD, returnSecureToken: true });

// Clause C.17.3
test('a shop that has tools of its own has nothing of the demo: no account with the password that everybody knows, no sign-in without one', async () => {
  kit = await openOrderTestKit();
  await kit.tool();
  const server = await startServer({ DATABASE_URL: kit.database!.url, DEMO: 'on' });
  const answers = await Promise.all(DEMO_ACCOUNTS.map(({ email }) => signIn(server.origin, email)));
  const chooser = await fetch(`${server.origin}/identity/google`);
  const html = await (await fetch(`${server.origin}/login`)).text();
  await server.stop();
  expect(chooser.status).toBe(404);
  expect(html).toContain('"google":false');
  expect(server.said()).not.toContain(DEMO_PASSWORD);
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(await kit.deps.db.$count(users)).toBe(0);
});

test('demo:clear keeps a tool that was ordered for its orders alone, and the stock adds up', async () => {
  kit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { db } = kit.deps;
  const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const who = await kit.customer();
  const [tool] = await db.select().from(tools).limit(1);
  const { id, name, minimumOrderQuantity: some } = tool!;
  const { body: order } = await kit.order(who, { toolId: id, productName: name, totalQuantity: some });

  expect(await clear([], { DATABASE_URL: kit.database!.url })).toBe(0);
  expect(said).toHaveBeenLastCalledWith(`Kept for their orders, with nothing left to sell: ${name}.\n`);
  expect(await db.select().from(tools)).toEqual([
    { ...tool, demo: false, availableQuantity: 0, stockedQuantity: some },
  ]);
  expect(await kit.audit()).toEqual(sound);

  expect((await kit.call(who, 'DELETE', `/order/${order._id}`)).status).toBe(204);
  expect(await kit.audit()).toEqual(sound);
  for (const { email } of DEMO_ACCOUNTS) {
    expect((await signIn(kit.origin, email)).status).toBe(400);
    expect(await db.$count(users, eq(users.email, email))).toBe(0);
  }
});

test('demo:clear ends the sessions of the demo accounts', async () => {
  kit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { email } = DEMO_ACCOUNTS.find(({ admin }) => admin)!;
  const { body } = await signIn(kit.origin, email);
  const idToken = { authorization: `Bearer ${String(body.idToken)}`, 'content-type': 'application/json' };
  const exchanged = await fetch(`${kit.origin}/user/${email}`, {
    method: 'PUT',
    headers: idToken,
    body: JSON.stringify({ email }),
  });
  const { token } = (await exchanged.json()) as { token: string };
  const read = () => fetch(`${kit.origin}/order`, { headers: { authorization: `Bearer ${token}` } });
  expect((await read()).status).not.toBe(401);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);

  expect(await clear([], { DATABASE_URL: kit.database!.url })).toBe(0);
  expect((await read()).status).toBe(401);
});
