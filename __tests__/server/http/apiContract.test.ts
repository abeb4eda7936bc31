import { renderDocsPage } from '../../../server/http/openapi';
import { startShop } from '../../support/shop';

interface Operation {
  summary: string;
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Contract {
  openapi: string;
  info: object;
  components: { securitySchemes: object };
  paths: Record<string, Record<string, Operation>>;
}

let shop: Awaited<ReturnType<typeof startShop>>;
let contract: Contract;
beforeAll(async () => {
  shop = await startShop();
  contract = (await (await fetch(`${shop.origin}/openapi.json`)).json()) as Contract;
});
afterAll(() => shop.close());

const NO_CONTENT = 204;
/** The summary and the status of the success response of each call. */
const OPERATIONS: [call: string, status: number, summary: string][] = [
  ['GET /tool', 200, 'Lists the tools for sale.'],
  ['POST /tool', 201, 'Adds a tool. Admins only.'],
  ['GET /tool/all', 200, 'Lists all tools, for sale or not. Admins only.'],
  [
    'GET /tool.csv',
    200,
    'Returns all tools as a spreadsheet, with their stock of this moment in knownQuantity. Admins only.',
  ],
  ['GET /tool/{id}', 200, 'Returns a tool.'],
  [
    'PATCH /tool/{id}',
    200,
    'Edits a tool, and adds stockChange to its stock. Answers tool_changed if a field no longer has the value in `was`. Admins only.',
  ],
  ['GET /review', 200, 'Lists all reviews.'],
  ['POST /review', 201, 'Adds a review.'],
  ['DELETE /review/{id}', NO_CONTENT, 'Removes a review. Admins only.'],
  ['POST /order', 201, 'Places an order. Sending it again with the same Idempotency-Key places no second order.'],
  [
    'GET /order',
    200,
    "Lists the caller's orders. Admins can list all orders, page by page, and filter them by status and words. With `since`, newer orders follow, oldest first, and none is skipped.",
  ],
  [
    'GET /order.csv',
    200,
    'Returns all orders with these status and words as CSV, newest first, with their refunds. Admins only.',
  ],
  ['GET /order/{id}', 200, 'Returns an order with its shipping log. For its owner and for admins.'],
  ['DELETE /order/{id}', NO_CONTENT, 'Deletes an order that is not paid. For its owner and for admins.'],
  ['PATCH /order/{id}', 200, "Reads the payment of the caller's order at the payment provider, and records it."],
  ['GET /order/counts', 200, 'Counts the orders of each status. Admins only.'],
  [
    'POST /order/{id}/shipment',
    201,
    'Marks a paid order as shipped. Answers order_not_paid for any other order, and order_disputed without despiteDispute. Sending the same shipment again changes nothing. Admins only.',
  ],
  [
    'PUT /order/{id}/shipment',
    200,
    'Corrects the shipment of a shipped order, and emails the customer again. Admins only.',
  ],
  [
    'PUT /order/{id}/price',
    200,
    'Prices an unpriced order and holds its stock. Answers order_priced if it has a price, or out_of_stock. Admins only.',
  ],
  [
    'POST /order/{id}/refund',
    200,
    "Refunds what is left of an order's payment. Repeating it changes nothing. Answers order_not_paid, order_refunded, order_disputed or payment_of_original. Admins only.",
  ],
  ['POST /create-payment-intent', 200, "Starts or continues the payment of the caller's order."],
  ['PUT /user/{email}', 200, 'Signs in with an ID token of the identity provider, and returns an access token.'],
  ['GET /user', 200, 'Lists all users. Admins only.'],
  ['PUT /user/admin/{email}', 200, 'Makes a user an admin. Admins only.'],
  ['GET /admin/{email}', 200, 'Returns whether a user is an admin. For that user and for admins.'],
  ['DELETE /session', NO_CONTENT, 'Ends the session of the access token.'],
  ['POST /profile', 201, 'Saves the profile of the caller.'],
  ['GET /profile/{email}', 200, 'Returns the profile of a user. For that user and for admins.'],
  [
    'POST /tool/import',
    200,
    'Imports a spreadsheet of tools, all of it or nothing. With `dry`, answers what it would do. Without knownQuantity, the stock of existing tools stays. Admins only.',
  ],
];

// Clauses A.7.19, A.7.20
test('the OpenAPI document names the shop, its errors and its bearer token', () => {
  const { openapi, info, components } = contract;
  expect({ openapi, info, securitySchemes: components.securitySchemes }).toEqual({
    openapi: '3.1.0',
    info: {
      title: 'Forgeline',
      version: '1.0.0',
      description:
        'The HTTP API of the Forgeline shop. Errors are application/problem+json with a stable code. ' +
        'The bearer token is the access token that PUT /user/{email} returns.',
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  });
});

// Clause A.7.20
test('the OpenAPI document contains the summary, path parameters, body and response of exactly the calls of the shop', () => {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation })),
  );
  expect(
    operations.map(({ call, summary, responses }) => [call, Number(Object.keys(responses).join()), summary]),
  ).toEqual(OPERATIONS);
  for (const { call, parameters = [], requestBody, responses } of operations) {
    const inPath = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name);
    expect([call, inPath]).toEqual([call, [...call.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    const hasBody = /^(POST|PATCH|PUT)/.test(call) && !call.startsWith('PUT /user/admin');
    expect([call, requestBody !== undefined]).toEqual([call, hasBody]);
    const [[status, { content }]] = Object.entries(responses) as [[string, Operation['responses'][string]]];
    const schema = content?.[call.includes('.csv') ? 'text/csv' : 'application/json']?.schema ?? {};
    expect([call, Object.keys(schema).length > 0]).toEqual([call, Number(status) !== NO_CONTENT]);
  }
});

test('the page of the API contract renders each part of the contract, and text as text', () => {
  const page = renderDocsPage({
    info: { title: 'Shop', description: 'Prices < 5 & more.' },
    paths: {
      '/a/{b}': {
        put: {
          summary: 'Sets <b>.',
          parameters: [
            { name: 'b', in: 'path' },
            { name: 'c<', in: 'query' },
          ],
          requestBody: { content: { 'application/json': { schema: { type: 'string' } } } },
          responses: { 201: { content: { 'application/json': { schema: { not: '<' } } } }, 204: {} },
        },
        get: {
          requestBody: { content: { 'text/csv': { schema: {} } } },
          responses: { 200: { content: { 'text/plain': { schema: {} } } } },
        },
      },
      '/d': { get: {} },
    },
  });
  expect(page.replace(/<style>[^<]*<\/style>/, '<style></style>')).toBe(
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<title>Shop API</title><style></style></head><body><main><h1>Shop API</h1>' +
      '<p>Prices &lt; 5 &amp; more.</p><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. ' +
      '<a href="/">Back to the shop</a>.</p>' +
      '<h2><b>PUT</b> <code>/a/{b}</code></h2><p>Sets &lt;b>.</p>' +
      '<p>Parameters: <code>b</code> (path), <code>c&lt;</code> (query)</p>' +
      '<p>Request body</p><pre tabindex="0">{\n  "type": "string"\n}</pre>' +
      '<p>Response 201</p><pre tabindex="0">{\n  "not": "&lt;"\n}</pre><p>Response 204</p>' +
      '<h2><b>GET</b> <code>/a/{b}</code></h2><p></p><p>Request body</p><p>text/csv</p>' +
      '<p>Response 200</p>' +
      '<h2><b>GET</b> <code>/d</code></h2><p></p>' +
      '</main></body></html>',
  );
});
