import { startSandbox } from '../../../__tests__/support/sandbox';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
afterAll(() => sandboxServer.close());

async function call(method: string, path: string, form: string, headers: Record<string, string> = {}) {
  const url = `${sandboxServer.origin}/v1/${path}`;
  const authorization = `Bearer ${sandboxServer.sandbox.keys.secret}`;
  const request = { method, headers: { authorization, ...headers } };
  const response = await (method === 'GET'
    ? fetch(`${url}?${form}`, request)
    : fetch(url, { ...request, body: new URLSearchParams(form) }));
  return { status: response.status, body: (await response.json()) as { error?: object } };
}

type Refusal = [form: string, message: string, code?: string, param?: string];

const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&');
const metadata = (count: number) => Array.from({ length: count }, (_, n) => `metadata[k${n}]=1`).join('&');
const VALID = 'amount=500&currency=usd';
const METADATA_LIMIT_ERROR = 'Invalid metadata: at most 50 keys of 40 characters, values of 500.';
const UNSUPPORTED_CURRENCY_ERROR = 'This sandbox supports these currencies: usd';

const INTENTS: Refusal[] = [
  [fields(201), 'Too many parameters.'],
  [fields(200), 'Received unknown parameter: f0', 'parameter_unknown', 'f0'],
  ['[x]=1', 'Invalid parameter name: [x]'],
  ['a[b=1', 'Invalid parameter name: a[b'],
  ['a[b][c][d][e]=1', 'Invalid parameter name: a[b][c][d][e]'],
  ['a[b][c][d]=1', 'Received unknown parameter: a', 'parameter_unknown', 'a'],
  ['a[b]c=1', 'Invalid parameter name: a[b]c'],
  ['[x]a=1', 'Invalid parameter name: [x]a'],
  ['currency=%00', 'Invalid string: currency', 'invalid_characters', 'currency'],
  ['currency=x&currency[y]=1', 'Invalid object: currency', undefined, 'currency'],
  ['amount[x]=1', 'Invalid string: {...}', undefined, 'amount'],
  ['amount=ten', 'Invalid integer: ten', 'parameter_invalid_integer', 'amount'],
  ['amount=500x', 'Invalid integer: 500x', 'parameter_invalid_integer', 'amount'],
  ['amount=x500', 'Invalid integer: x500', 'parameter_invalid_integer', 'amount'],
  ['amount=-', 'Invalid integer: -', 'parameter_invalid_integer', 'amount'],
  ['amount=1234567890123456', 'Invalid integer: 1234567890123456', 'parameter_invalid_integer', 'amount'],
  ['', 'Missing required param: amount.', 'parameter_missing', 'amount'],
  ['amount=500', 'Missing required param: currency.', 'parameter_missing', 'currency'],
  ['amount=500&currency=EUR', `Invalid currency: eur. ${UNSUPPORTED_CURRENCY_ERROR}`, undefined, 'currency'],
  [`${VALID}&metadata=x`, 'Invalid object', undefined, 'metadata'],
  [`${VALID}&${metadata(51)}`, METADATA_LIMIT_ERROR, undefined, 'metadata'],
  [`${VALID}&metadata[k][deep]=1`, METADATA_LIMIT_ERROR, undefined, 'metadata'],
  [`${VALID}&metadata[${'k'.repeat(41)}]=1`, METADATA_LIMIT_ERROR, undefined, 'metadata'],
  [`${VALID}&metadata[k]=${'v'.repeat(501)}`, METADATA_LIMIT_ERROR, undefined, 'metadata'],
  [
    `${VALID}&payment_method_types[0]=card&payment_method_types[1]=sepa_debit`,
    'The payment method type "sepa_debit" is invalid.',
    undefined,
    'payment_method_types',
  ],
];

const CARD = 'type=card&card[number]=4242424242424242';
const METHODS: Refusal[] = [
  ['', 'Missing required param: type.', 'parameter_missing', 'type'],
  ['type=sepa_debit', 'The payment method type "sepa_debit" is invalid.', undefined, 'type'],
  ['type=card', 'Missing required param: number.', 'parameter_missing', 'number'],
  [CARD, 'Missing required param: card[exp_month].', 'parameter_missing', 'card[exp_month]'],
  [`${CARD}&card[exp_month]=1`, 'Missing required param: card[exp_year].', 'parameter_missing', 'card[exp_year]'],
  [`${CARD}&billing_details[vat]=1`, 'Received unknown parameter: vat', 'parameter_unknown', 'vat'],
];

const LIMITS = ['0', '101'].map((limit): Refusal => [
  `limit=${limit}`,
  'Invalid limit: must be between 1 and 100',
  undefined,
  'limit',
]);
const DATES: Refusal[] = [
  ['created[since]=1', 'Received unknown parameter: since', 'parameter_unknown', 'since'],
  ['created=1', 'Invalid object', undefined, 'created'],
];

const REFUNDS: Refusal[] = [
  ['', 'Missing required param: payment_intent.', 'parameter_missing', 'payment_intent'],
  ['amount=0', 'This value must be greater than or equal to 1.', 'parameter_invalid_integer', 'amount'],
  ['reason=x', 'Received unknown parameter: reason', 'parameter_unknown', 'reason'],
];

const refusalsOf = (method: string, path: string, refusals: Refusal[]) =>
  refusals.map(([form, message, code, param]) => {
    const doc_url = `https://stripe.com/docs/error-codes/${code?.replaceAll('_', '-')}`;
    const details = { ...(code && { code, doc_url }), ...(param && { param }) };
    const error = { type: 'invalid_request_error', message, ...details };
    return { name: `${method} /v1/${path} with ${form.slice(0, 50)}`, method, path, form, error };
  });

it.each([
  ...refusalsOf('POST', 'payment_intents', INTENTS),
  ...refusalsOf('POST', 'payment_methods', METHODS),
  ...refusalsOf('POST', 'refunds', REFUNDS),
  ...refusalsOf('GET', 'payment_intents', [...LIMITS, ...DATES]),
  ...refusalsOf('GET', 'refunds', LIMITS),
])("$name is refused with Stripe's error", async ({ method, path, form, error }) => {
  expect(await call(method, path, form)).toEqual({ status: 400, body: { error } });
});

it('the sandbox accepts values at their limits', async () => {
  const form = `${VALID}&${metadata(49)}&metadata[${'k'.repeat(40)}]=${'v'.repeat(500)}&payment_method_types[0]=card`;
  expect((await call('POST', 'payment_intents', form)).status).toBe(200);
  for (const amount of [50, 99_999_999])
    expect((await call('POST', 'payment_intents', `amount=${amount}&currency=usd`)).status).toBe(200);
  for (const limit of [1, 100]) expect((await call('GET', 'payment_intents', `limit=${limit}`)).status).toBe(200);
});

const SECRET_ROUTES = [
  ['POST', 'payment_intents'],
  ['GET', 'payment_intents'],
  ['POST', 'payment_intents/pi_1/cancel'],
  ['GET', 'charges'],
  ['POST', 'refunds'],
  ['GET', 'refunds'],
] as const;

const ROUTES = [
  ...SECRET_ROUTES,
  ['POST', 'payment_methods'],
  ['GET', 'payment_intents/pi_1'],
  ['POST', 'payment_intents/pi_1/confirm'],
  ['POST', 'sandbox/payment_intents/pi_1/authenticate'],
] as const;

it.each(SECRET_ROUTES)('the publishable key is not accepted for %s /v1/%s', async (method, path) => {
  expect(await call(method, path, '', { authorization: 'Bearer pk_test_forgeline' })).toEqual({
    status: 403,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        doc_url: 'https://stripe.com/docs/error-codes/secret-key-required',
        message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
      },
    },
  });
});

it.each(['', 'Token x', 'Basic', 'Bearer'])(
  'a call with the authorization %j has no API key',
  async (authorization) => {
    expect(await call('GET', 'payment_intents', '', { authorization })).toEqual({
      status: 401,
      body: {
        error: {
          type: 'invalid_request_error',
          message:
            'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
            "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
        },
      },
    });
  },
);

it.each(['bearer', 'BEARER', 'Bearer  '])('the API key is accepted after the scheme %j', async (scheme) => {
  const authorization = `${scheme} ${sandboxServer.sandbox.keys.secret}`;
  expect((await call('GET', 'payment_intents', 'limit=1', { authorization })).status).toBe(200);
});

it.each([
  ['GET', 'customers'],
  ['GET', 'charges/ch_1'],
  ['DELETE', 'payment_intents/pi_1'],
  ['POST', 'payment_intents/pi_1'],
  ['POST', 'payment_intents/pi_1/confirm/now'],
  ['POST', 'payment_intents/pi_1/cancel/now'],
  ['POST', 'payment_methods/pm_1'],
  ['POST', 'refunds/re_1'],
  ['GET', 'refunds/re_1'],
  ['GET', 'disputes'],
  ['GET', 'payment_intents/pi_1/charges'],
  ['POST', 'sandbox/payment_intents/pi_1/authenticate/now'],
  ...ROUTES.map(([method, path]) => [method, `v1/${path}`]),
])('the error about the unknown route %s /v1/%s names that route', async (method, path) => {
  expect(await call(method, path, '')).toEqual({
    status: 404,
    body: { error: { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: /v1/${path}).` } },
  });
});

it.each<[method: string, path: string, form: string, object: string, param: string]>([
  ['GET', 'payment_intents/pi_no', '', "payment_intent: 'pi_no'", 'intent'],
  ['GET', 'charges', 'payment_intent=pi_no', "payment_intent: 'pi_no'", 'payment_intent'],
  ['GET', 'refunds', 'payment_intent=pi_no', "payment_intent: 'pi_no'", 'payment_intent'],
  ['POST', 'refunds', 'payment_intent=pi_no&amount=1', "payment_intent: 'pi_no'", 'payment_intent'],
])('%s /v1/%s?%s names the unknown object and its parameter', async (method, path, form, object, param) => {
  const code = 'resource_missing';
  const doc_url = 'https://stripe.com/docs/error-codes/resource-missing';
  const error = { type: 'invalid_request_error', code, doc_url, message: `No such ${object}`, param };
  expect(await call(method, path, form)).toEqual({ status: 404, body: { error } });
});

it("an error about a wrong API key shows only the key's first and last characters", async () => {
  const { status, body } = await call('GET', 'payment_intents', '', { authorization: 'Bearer sk_test_another_key' });
  const message = 'Invalid API Key provided: sk_test_****_key';
  expect([status, body.error]).toEqual([401, { type: 'invalid_request_error', message }]);
});

it('an idempotency key may have at most 255 characters', async () => {
  const send = (length: number) => call('POST', 'payment_intents', VALID, { 'idempotency-key': 'k'.repeat(length) });
  expect((await send(255)).status).toBe(200);
  expect(await send(256)).toEqual({
    status: 400,
    body: { error: { type: 'idempotency_error', message: 'Idempotency keys are at most 255 characters long.' } },
  });
});
