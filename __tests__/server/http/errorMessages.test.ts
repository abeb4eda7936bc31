import { type Customer, newAdmin, newCustomer, newEmail } from '../../support/customers';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let shop: ShopWithGoogle;
let customer: Customer;
let admin: Customer;
beforeAll(async () => {
  shop = await startShopWithGoogle();
  [customer, admin] = [await newCustomer(shop), await newAdmin(shop)];
});
afterAll(() => shop.close());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const as =
  (caller: () => Customer, path: string, method = 'GET', body?: unknown) =>
  () =>
    shop.call(path, { method, body, token: caller().token });
const asCustomer = (...call: [path: string, method?: string, body?: unknown]) => as(() => customer, ...call);
const asAdmin = (...call: [path: string, method?: string, body?: unknown]) => as(() => admin, ...call);
async function postRaw(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const authorization = `Bearer ${customer.token}`;
  const response = await fetch(`${shop.origin}/review`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}
async function signInBlocked() {
  const email = newEmail('blocked');
  await newCustomer(shop, { id: `uid-of-${email}`, email, blockedAt: new Date() });
  return shop.signIn(email);
}
async function promoteUnverified() {
  const { email } = await newCustomer(shop, { email: newEmail('unverified'), emailVerified: false });
  return asAdmin(`/user/admin/${email}`, 'PUT')();
}

// Clauses C.4.1, C.4.6
test.each([
  [404, 'not_found', 'Not found', "This address doesn't exist.", asCustomer('/refund', 'POST', {})],
  [404, 'not_found', 'Not found', 'Order not found. It may have been deleted.', asCustomer(`/order/${UNKNOWN_ID}`)],
  [404, 'not_found', 'Not found', 'Tool not found. It may have been removed.', asCustomer('/tool/none')],
  [404, 'not_found', 'Not found', 'Review not found. It may have been removed.', asAdmin('/review/none', 'DELETE')],
  [
    404,
    'not_found',
    'Not found',
    'No user with this email has logged in yet.',
    asAdmin('/user/admin/nobody@mail.example', 'PUT'),
  ],
  [401, 'auth_required', 'Login required', 'Please log in first.', () => shop.call('/user')],
  [
    401,
    'token_invalid',
    'Invalid token',
    'Your session is not valid. Please log in again.',
    () => shop.call('/user', { token: 'garbage' }),
  ],
  [403, 'forbidden', 'Not allowed', "You don't have permission to do this.", asCustomer('/user')],
  [
    403,
    'email_mismatch',
    "Email doesn't match",
    "You're logged in with a different email.",
    asCustomer('/profile/other@mail.example'),
  ],
  [
    403,
    'email_unverified',
    'Email not verified',
    "This email isn't verified. The user got an email with a link to verify it, and can send the link again from My Profile.",
    promoteUnverified,
  ],
  [
    403,
    'account_blocked',
    'Account blocked',
    'This account is blocked. Contact us if you think this is a mistake.',
    signInBlocked,
  ],
  [400, 'malformed_json', 'Malformed JSON', 'The body is empty. Send JSON.', () => postRaw('')],
  [400, 'malformed_json', 'Malformed JSON', 'The body is not valid JSON.', () => postRaw('{"a":')],
  [400, 'malformed_json', 'Malformed JSON', 'The body is not valid JSON.', () => postRaw('{"__proto__":{"a":1}}')],
  [
    415,
    'json_only',
    'JSON only',
    'Send JSON with the content type application/json.',
    () => postRaw('{}', { 'content-type': 'text/plain' }),
  ],
  [413, 'body_too_large', 'Body too large', 'The request body is too large.', () => postRaw(' '.repeat(32_769))],
  [400, 'bad_request', 'Bad request', 'The URL is malformed.', () => shop.call('/tool/%E0%A4%A')],
  [414, 'uri_too_long', 'URL too long', 'The URL is too long.', () => shop.call(`/tool/${'a'.repeat(321)}`)],
])('a refused request gets this error and nothing else: %d %s "%s" "%s"', async (status, code, title, detail, send) => {
  const { body, headers, ...response } = await send();
  expect([response.status, headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  const instance = headers.get('x-request-id');
  expect(body).toEqual({ type: `/problems/${code}`, title, status, code, detail, instance });
  expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
});

test('a body of 32 KiB and a path parameter of 320 characters are still accepted', async () => {
  expect((await postRaw(' '.repeat(32_768))).body['code']).toBe('malformed_json');
  expect((await shop.call(`/tool/${'a'.repeat(320)}`)).body.code).toBe('not_found');
});

// Clauses C.4.3, C.4.5
test('each invalid field gets its own message, which says what the field must be', async () => {
  const { name, ...tool } = {
    name: 'n'.repeat(121),
    price: 'free',
    minimumOrderQuantity: 0,
    availableQuantity: 1e6 + 1,
  };
  const drafts = [
    { ...tool, name, description: ' ', img: 'javascript:alert(1)', weight: 1 },
    { ...tool, img: 5, description: '' },
  ];
  const messagesOf = async (draft: object) => {
    const { status, body } = await asAdmin('/tool', 'POST', draft)();
    const errors = body['errors'] as { field: string; message: string }[];
    expect([status, body['detail']]).toEqual([
      422,
      errors.map(({ field, message }) => `${field}: ${message}`).join(' '),
    ]);
    return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  };
  const numbers = {
    price: 'must be a whole number.',
    minimumOrderQuantity: 'must be at least 1.',
    availableQuantity: 'must be at most 1000000.',
  };
  expect(await messagesOf(drafts[0]!)).toEqual({
    ...numbers,
    name: 'must have at most 120 characters.',
    description: "is empty or contains characters that can't be stored.",
    img: 'Enter a full link, like https://example.com/page.',
    weight: 'is not an allowed field.',
  });
  expect(await messagesOf(drafts[1]!)).toEqual({
    ...numbers,
    name: 'is required.',
    description: 'is required.',
    img: 'must be a string.',
  });
  const { body } = await asAdmin('/order?status=lost')();
  expect(body['errors']).toEqual([{ field: 'status', message: 'is not valid.' }]);
  const { body: changes } = await asAdmin(`/tool/${UNKNOWN_ID}`, 'PATCH', { was: { price: 'free' }, onSale: 'no' })();
  expect(changes['errors']).toEqual([
    { field: 'onSale', message: 'must be true or false.' },
    { field: 'was', message: 'must be a whole number.' },
  ]);
  const { body: text } = await asAdmin('/tool', 'POST', 'text')();
  expect(text['errors']).toEqual([{ field: '', message: 'must be an object.' }]);
  const { body: page } = await asAdmin('/order?limit=0')();
  expect(page['errors']).toEqual([{ field: 'limit', message: 'is not valid.' }]);
});
