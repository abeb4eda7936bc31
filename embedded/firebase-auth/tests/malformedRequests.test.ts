import { callAccounts, startIdentity } from '../../../__tests__/support/identity';

let service: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.stop());

async function signUp(email: string) {
  return (await callAccounts(service.url, 'signUp', { email, password: 'secret-1' })).body.idToken;
}

const FIELDS = ['email', 'idToken', 'displayName', 'postBody', 'requestType', 'password'];
const ENDPOINTS = ['signUp', 'signInWithPassword', 'lookup', 'update', 'signInWithIdp', 'delete', 'sendOobCode'];
const MALFORMED_VALUES = [5, true, [], {}, '', '\u0000', '\ud800', 'x'.repeat(5000), '%00', '\u202e@\u202e', "';--"];

test.each(ENDPOINTS)('the endpoint accounts:%s never answers a malformed value with a server error', async (name) => {
  const password = name === 'signInWithPassword' ? undefined : 'short';
  const validBody = name === 'update' ? { idToken: await signUp('odd@ex.com') } : { email: 'b@ex.com', password };
  const unexpectedStatuses: string[] = [];
  for (const [field, value] of FIELDS.flatMap((one) => MALFORMED_VALUES.map((oddValue) => [one, oddValue] as const))) {
    const { status } = await callAccounts(service.url, name, { ...validBody, [field]: value });
    if (status !== 200 && status !== 400)
      unexpectedStatuses.push(`${status}: ${field} ${JSON.stringify(value).slice(0, 12)}`);
  }
  expect(unexpectedStatuses).toEqual([]);
});

test('a login with an unknown email gets the same response as one with a wrong password', async () => {
  await signUp('a@ex.com');
  const logIn = (email: string) => callAccounts(service.url, 'signInWithPassword', { email, password: 'wrong-one' });
  expect(await logIn('nobody@ex.com')).toEqual(await logIn('a@ex.com'));
});
