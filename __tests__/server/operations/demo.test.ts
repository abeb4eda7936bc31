import { eq } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { main as clear } from '../../../server/cli/demo';
import { identityAccounts } from '../../../embedded/firebase-auth/schema';
import { tools, users } from '../../../server/db/schema';
import { putUser } from '../../support/api';
import { runCli } from '../../support/cli';
import { createGoogleCredential, signInWithGoogle } from '../../support/identity';
import { newAccount, callAccounts } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { startServer } from '../../support/server';

let testKit: OrderTestKit;
afterEach(() => testKit.close());

const signIn = (origin: string, email: string, password: string = DEMO_PASSWORD) =>
  callAccounts(origin, 'signInWithPassword', { email, password, returnSecureToken: true });

// Clause C.17.3
test('with DEMO=on, a database that already has tools gets no demo accounts and no sign-in without a password', async () => {
  testKit = await openOrderTestKit();
  await testKit.createTool();
  const server = await startServer({ ...testKit.database!.env, DEMO: 'on' });
  const responses = await Promise.all(DEMO_ACCOUNTS.map(({ email }) => signIn(server.origin, email)));
  const chooser = await fetch(`${server.origin}/identity/google`);
  const html = await (await fetch(`${server.origin}/login`)).text();
  await server.stop();
  expect(chooser.status).toBe(404);
  expect(html).toContain('"google":false');
  expect(server.output()).not.toContain(DEMO_PASSWORD);
  expect(responses.map(({ status }) => status)).toEqual([400, 400]);
  expect(await testKit.deps.db.$count(users)).toBe(0);
});

test('a demo that others can reach prints random passwords, keeps them, ends older sessions and has no stand-in for Google', async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { email } = DEMO_ACCOUNTS[0];
  const earlier = await signIn(testKit.origin, email);
  const outputs: string[] = [];
  for (const DEMO_EXPOSED of ['on', 'on', 'off']) {
    const server = await startServer({ ...testKit.database!.env, DEMO: 'on', DEMO_EXPOSED });
    const passwords = [...server.output().matchAll(/, password (\S+)$/gm)].map(([, password]) => password!);
    outputs.push(passwords.join());
    const statuses = await Promise.all([
      signIn(server.origin, email),
      signIn(server.origin, email, passwords[0]),
      signIn(server.origin, DEMO_ACCOUNTS[1].email, passwords[1]),
      callAccounts(server.origin, 'lookup', { idToken: earlier.body.idToken }),
    ]);
    const html = await (await fetch(`${server.origin}/login`)).text();
    const chooser = await fetch(`${server.origin}/identity/google`);
    await server.stop();
    expect(statuses.map(({ status }) => status)).toEqual([400, 200, 200, 400]);
    expect(html).not.toContain(DEMO_PASSWORD);
    expect(chooser.status).toBe(DEMO_EXPOSED === 'on' ? 404 : 200);
  }
  expect(new Set(outputs).size).toBe(1);
  expect(outputs[0]).toMatch(/^[\w-]{16},[\w-]{16}$/);
});

test('in a demo that others can reach, ADMIN_EMAILS makes only the owner of an email an admin', async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on', DEMO_EXPOSED: 'on', ADMIN_EMAILS: 'boss@shop.example' } });
  const email = 'boss@shop.example';
  const { idToken, localId } = await newAccount(email, 'Ann Lee', 'secret-1', testKit.origin);
  await putUser(testKit.origin, email, idToken);
  const [stranger] = await testKit.deps.db.select().from(users).where(eq(users.id, localId));
  expect(stranger).toMatchObject({ email, role: 'member' });
});

test('demo:clear keeps a demo tool that has orders, but sets its stock to zero', async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { db } = testKit.deps;
  const customer = await testKit.createCustomer();
  const [tool] = await db.select().from(tools).limit(1);
  const { id, name, minimumOrderQuantity: quantity } = tool!;
  const { body: order } = await testKit.placeOrder(customer, {
    toolId: id,
    productName: name,
    totalQuantity: quantity,
  });

  const { code, out } = await runCli(clear, [], testKit.database!.env);
  expect(code).toBe(0);
  expect(out.split('\n').at(-2)).toBe(`Kept these tools without stock, because they have orders: ${name}.`);
  expect(await db.select().from(tools)).toEqual([
    { ...tool, demo: false, availableQuantity: 0, stockedQuantity: quantity },
  ]);
  expect(await testKit.countWrongStocks()).toBe(0);

  expect((await testKit.call(customer, 'DELETE', `/order/${order._id}`)).status).toBe(204);
  expect(await testKit.countWrongStocks()).toBe(0);
  for (const { email } of DEMO_ACCOUNTS) {
    expect((await signIn(testKit.origin, email)).status).toBe(400);
    expect(await db.$count(users, eq(users.email, email))).toBe(0);
  }
});

test('demo:clear ends the session of the demo admin', async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { email } = DEMO_ACCOUNTS.find(({ admin }) => admin)!;
  const { body } = await signIn(testKit.origin, email);
  const idToken = { authorization: `Bearer ${String(body.idToken)}`, 'content-type': 'application/json' };
  const response = await fetch(`${testKit.origin}/user/${email}`, {
    method: 'PUT',
    headers: idToken,
    body: JSON.stringify({ email }),
  });
  const { token } = (await response.json()) as { token: string };
  const listOrders = () => fetch(`${testKit.origin}/order`, { headers: { authorization: `Bearer ${token}` } });
  expect((await listOrders()).status).not.toBe(401);

  expect((await runCli(clear, [], testKit.database!.env)).code).toBe(0);
  expect((await listOrders()).status).toBe(401);
});

test("demo:clear trusts no email that only the demo's Google has verified", async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { db } = testKit.deps;
  const email = 'goo@mail.example';
  const credential = await createGoogleCredential(testKit.origin, email, 'Goo Gle');
  const { body } = await signInWithGoogle(testKit.origin, credential);
  await putUser(testKit.origin, email, String(body.idToken));
  const readVerified = async () => [
    (await db.select().from(identityAccounts).where(eq(identityAccounts.email, email)))[0]!.emailVerified,
    (await db.select().from(users).where(eq(users.email, email)))[0]!.emailVerified,
  ];
  expect(await readVerified()).toEqual([true, true]);

  expect((await runCli(clear, [], testKit.database!.env)).code).toBe(0);
  expect(await readVerified()).toEqual([false, false]);
});
