import { NAUGHTY } from './naughty.mjs';
import { valueOf } from './values.mjs';

const EXTRAS = [
  'role',
  'paid',
  '_id',
  '__proto__',
  'constructor',
  'price',
  'email',
  'state',
  'isAdmin',
  'transactionId',
];
const RAW = [
  '',
  '{',
  '[',
  'null',
  '[]',
  '""',
  '1',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"admin"}}',
  '\ufeff{}',
  '{"name":"\\ud800"}',
];
const TYPES = [
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '',
];
const CALLERS = ['nobody', 'garbage', 'ann', 'ann', 'ann', 'bob', 'admin'];

export function operationsOf(contract) {
  return Object.entries(contract.paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json'].schema,
      responses,
    })),
  );
}

function addressOf(operation, values) {
  const inPath = operation.path.replace(/\{(\w+)\}/g, (_, name) => encode(values[name]));
  const query = operation.parameters.filter(({ in: place, name }) => place === 'query' && values[name] !== undefined);
  return query.length === 0
    ? inPath
    : `${inPath}?${query.map(({ name }) => `${name}=${encode(values[name])}`).join('&')}`;
}

/** What is no Unicode cannot be in an address; a broken percent sign can. */
function encode(value) {
  const text = String(value);
  return text === '%zz' || !text.isWellFormed() ? '%zz' : encodeURIComponent(text) || '%20';
}

function parameter({ name, schema }, random, known, kind) {
  if (kind === 'hostile') return random.one(NAUGHTY);
  return random.chance(0.8) ? random.one(name === 'email' ? known.emails : known.ids()) : valueOf(schema, random, kind);
}

function bodyOf(schema, random, known, kind) {
  const body = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!schema.required.includes(name) && random.chance(0.6)) continue;
    const odd = kind !== 'good' && random.chance(0.4);
    body[name] = odd ? valueOf(field, random, kind) : (known.fits(name, random) ?? valueOf(field, random, 'good'));
  }
  if (kind === 'hostile' && random.chance(0.2)) body[random.one(Object.keys(schema.properties))] = undefined;
  if (kind === 'hostile' && random.chance(0.2)) body[random.one(EXTRAS)] = random.one(NAUGHTY);
  return body;
}

const payloadOf = (body) => JSON.stringify(body);
const caller = (random) => random.one(CALLERS);

/** Valid, nearly valid or hostile, all from one seed. */
export function anyRequest(operations, random, known) {
  const operation = random.one(operations);
  const kind = random.one(['good', 'good', 'border', 'hostile', 'hostile']);
  const values = {};
  for (const one of operation.parameters)
    if (one.in === 'path' || random.chance(0.5)) values[one.name] = parameter(one, random, known, kind);
  const request = { method: operation.method, path: addressOf(operation, values), as: caller(random), headers: {} };
  if (operation.body) {
    const raw = kind === 'hostile' && random.chance(0.15);
    request.payload = raw ? random.one(RAW) : payloadOf(bodyOf(operation.body, random, known, kind));
    request.headers['content-type'] = kind === 'hostile' && random.chance(0.1) ? random.one(TYPES) : 'application/json';
    if (random.chance(0.1))
      request.headers['idempotency-key'] = random.one(['k1', 'k2', 'ü'.repeat(3), 'x'.repeat(300)]);
  }
  return { operation, request };
}

/** Every naughty text in every field of every body, all else being good. */
export function* naughtyRequests(operations, random, known) {
  for (const operation of operations.filter(({ body }) => body))
    for (const field of Object.keys(operation.body.properties))
      for (const text of NAUGHTY) {
        const body = { ...bodyOf(operation.body, random, known, 'good'), [field]: text };
        const values = Object.fromEntries(
          operation.parameters.map((one) => [one.name, parameter(one, random, known, 'good')]),
        );
        const request = { method: operation.method, path: addressOf(operation, values), as: 'admin' };
        yield {
          operation,
          request: { ...request, headers: { 'content-type': 'application/json' }, payload: payloadOf(body) },
        };
      }
}
