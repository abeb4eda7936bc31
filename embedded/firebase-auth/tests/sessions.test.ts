import { callShop, putUser } from '../../../__tests__/support/api';
import { collectLog, startShop } from '../../../__tests__/support/shop';
import { callAccounts, refreshIdToken } from '../../../__tests__/support/identity';

const PASSWORD = 'secret-1';
const log = collectLog();
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ logger: log.logger })));
afterAll(() => shop.close());

let personCount = 0;
async function newPerson() {
  const email = `ending.${process.pid}.${(personCount += 1)}@shop.example`;
  const { body } = await callAccounts(shop.origin, 'signUp', { email, password: PASSWORD, returnSecureToken: true });
  const [idToken, id] = [String(body['idToken']), String(body['localId'])];
  const { token } = (await putUser(shop.origin, email, idToken)).body;
  return { email, id, idToken, token: String(token) };
}
const statusOf = async (email: string, token: string) =>
  (await callShop(shop.origin, `/admin/${email}`, { token })).status;
const linesOf = (msg: string, userId: string) =>
  log.linesOf(msg).filter((line) => line['userId'] === userId && line['network'] === '127.0.0.1');

test('deleting an account immediately revokes its access token', async () => {
  const { email, id, idToken, token } = await newPerson();
  expect(await statusOf(email, token)).toBe(200);
  expect((await callAccounts(shop.origin, 'delete', { idToken })).status).toBe(200);
  expect(await statusOf(email, token)).toBe(401);
  expect([linesOf('account removed', id), linesOf('session ended', id)]).toMatchObject([{ length: 1 }, { length: 1 }]);
});

// Clause C.5.6
test.each([
  ['password', (_email: string) => ({ password: 'secret-2' })],
  ['email', (email: string) => ({ email: `new.${email}` })],
])(
  'a new %s immediately revokes every access token, but the session that made the change continues',
  async (_what, change) => {
    const { email, id, idToken, token } = await newPerson();
    const other = await callAccounts(shop.origin, 'signInWithPassword', {
      email,
      password: PASSWORD,
      returnSecureToken: true,
    });
    const otherToken = String((await putUser(shop.origin, email, String(other.body['idToken']))).body.token);

    const body = { idToken, returnSecureToken: true, ...change(email) };
    const changed = await callAccounts(shop.origin, 'update', body);
    expect(changed.status).toBe(200);
    expect([await statusOf(email, token), await statusOf(email, otherToken)]).toEqual([401, 401]);
    expect(linesOf('session ended', id)).toHaveLength(1);

    const address = String(changed.body['email']);
    const renewed = await refreshIdToken(shop.origin, {
      grant_type: 'refresh_token',
      refresh_token: String(changed.body['refreshToken']),
    });
    for (const idTokenOfSession of [changed.body['idToken'], renewed.body['id_token']]) {
      const { token: newer } = (await putUser(shop.origin, address, String(idTokenOfSession))).body;
      expect(await statusOf(address, String(newer))).toBe(200);
    }
  },
);
