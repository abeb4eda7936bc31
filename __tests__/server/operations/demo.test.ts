import { eq } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { main as clear } from '../../../server/cli/demo';
import { identityAccounts } from '../../../embedded/firebase-auth/schema';
import { tools, users } from '../../../server/db/schema';
import { putUser } from '../../support/api';
import { callAccounts, createGoogleCredential, signInWithGoogle } from '../../support/identity';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';
import { startServer } from '../../support/server';

let testKit: OrderTestKit;
afterEach(async () => {
  jest.restoreAllMocks();
  await testKit.close();
});

const signIn = (origin: string, email: string) =>
  callAccounts(origin, 'signInWithPassword', { email, password: DEMO_PASSWORD, returnSecureToken: true });

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

test('demo:clear keeps a demo tool that has orders, but sets its stock to zero', async () => {
  testKit = await openOrderTestKit({ env: { DEMO: 'on' } });
  const { db } = testKit.deps;
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const customer = await testKit.createCustomer();
  const [tool] = await db.select().from(tools).limit(1);
  const { id, name, minimumOrderQuantity: quantity } = tool!;
  const { body: order } = await testKit.placeOrder(customer, {
    toolId: id,
    productName: name,
    totalQuantity: quantity,
  });

  expect(await clear([], { ...testKit.database!.env })).toBe(0);
  expect(stdout).toHaveBeenLastCalledWith(`Kept these tools without stock, because they have orders: ${name}.\n`);
  expect(await db.select().from(tools)).toEqual([
    { ...tool, demo: false, availableQuantity: 0, stockedQuantity: quantity },
  ]);
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);

  expect((await testKit.call(customer, 'DELETE', `/order/${order._id}`)).status).toBe(204);
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
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
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);

  expect(await clear([], { ...testKit.database!.env })).toBe(0);
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
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);

  expect(await clear([], { ...testKit.database!.env })).toBe(0);
  expect(await readVerified()).toEqual([false, false]);
});
