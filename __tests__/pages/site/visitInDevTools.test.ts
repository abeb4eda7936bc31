import { reduxLog } from './watchRedux';
import { createStore } from '../../../src/app/store';
import { apiSlice } from '../../../src/api/apiSlice';
import { readConfig } from '../../../src/config';
import { newEmail } from '../../support/customers';
import { sharedTool } from '../../support/tools';

const PASSWORD = 'secret-word';

// Clause B.6
test('Redux DevTools shows each step of a visit under a plain name, and no password', async () => {
  const html = await (await fetch('/login', { headers: { accept: 'text/html' } })).text();
  const config = readConfig(new DOMParser().parseFromString(html, 'text/html'));
  const { openSession } = await import('../../../src/session/session');
  const store = createStore({ renew: () => session.renew() });
  const session = openSession(config, store);
  const { commands } = session;
  const email = newEmail();
  await commands.signUp(email, PASSWORD);
  await commands.rename('Ann Lee');
  await commands.signOut();
  await expect(commands.signIn(email, 'wrong-word')).rejects.toThrow('Wrong email or password.');
  await commands.signIn(email, PASSWORD);
  const { _id: toolId, name: productName, minimumOrderQuantity: totalQuantity } = await sharedTool();
  const draft = { toolId, productName, totalQuantity, address: '1 Main', phone: '555 0100' };
  await store.dispatch(apiSlice.endpoints.placeOrder.initiate({ draft, key: email })).unwrap();

  const actions = reduxLog.map((entry) => (JSON.parse(entry) as { action: { type: string; payload: object } }).action);
  const steps = actions.filter(({ type }) => /^(auth|order|payment)\//.test(type));
  expect(steps.map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'auth/signInStarted', payload: { method: 'signup' } },
    { type: 'auth/signedOut', payload: undefined },
    { type: 'auth/signInStarted', payload: { method: 'name' } },
    { type: 'auth/signedIn', payload: expect.objectContaining({ email }) as object },
    { type: 'auth/signedOut', payload: 'default' },
    { type: 'auth/signInStarted', payload: { method: 'password' } },
    { type: 'auth/signInRefused', payload: { code: 'auth/invalid-credential' } },
    { type: 'auth/signInStarted', payload: { method: 'password' } },
    { type: 'auth/signedIn', payload: expect.objectContaining({ email }) as object },
    { type: 'order/sent', payload: { toolId, totalQuantity } },
  ]);
  expect(reduxLog.filter((entry) => entry.includes(PASSWORD) || entry.includes('wrong-word'))).toEqual([]);
});
