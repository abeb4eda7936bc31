import { HOSTILE_TEXTS } from './hostileTexts.mjs';
import { createRandomValue } from './randomValues.mjs';

const EXTRA_FIELDS = [
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
const RAW_BODIES = [
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
const CONTENT_TYPES = [
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '',
];
const CALLERS = ['nobody', 'garbage', 'ann', 'ann', 'ann', 'bob', 'admin'];

export function listOperations(contract) {
  return Object.entries(contract.paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
      responses,
    })),
  );
}

function buildPath(operation, values) {
  const inPath = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeValue(values[name]));
  const query = operation.parameters.filter(({ in: place, name }) => place === 'query' && values[name] !== undefined);
  return query.length === 0
    ? inPath
    : `${inPath}?${query.map(({ name }) => `${name}=${encodeValue(values[name])}`).join('&')}`;
}

/** A URL cannot contain invalid Unicode, so `%zz` replaces it. */
function encodeValue(value) {
  const text = String(value);
  return text === '%zz' || !text.isWellFormed() ? '%zz' : encodeURIComponent(text) || '%20';
}

function chooseParameter({ name, schema }, random, knownValues, kind) {
  if (kind === 'hostile') return random.pick(HOSTILE_TEXTS);
  return random.chance(0.8)
    ? random.pick(name === 'email' ? knownValues.emails : knownValues.ids())
    : createRandomValue(schema, random, kind);
}

function createBody({ properties, required = [] }, random, knownValues, kind) {
  const body = {};
  for (const [name, field] of Object.entries(properties)) {
    if (!required.includes(name) && random.chance(0.6)) continue;
    const usesKind = kind !== 'valid' && random.chance(0.4);
    body[name] = usesKind
      ? createRandomValue(field, random, kind)
      : (knownValues.chooseValidValue(name, random) ?? createRandomValue(field, random, 'valid'));
  }
  if (kind === 'hostile' && random.chance(0.2)) body[random.pick(Object.keys(properties))] = undefined;
  if (kind === 'hostile' && random.chance(0.2)) body[random.pick(EXTRA_FIELDS)] = random.pick(HOSTILE_TEXTS);
  return body;
}

const serialize = (body) => JSON.stringify(body);
const chooseCaller = (random) => random.pick(CALLERS);

/** Creates a valid, nearly valid or hostile request. */
export function createRandomRequest(operations, random, knownValues) {
  const operation = random.pick(operations);
  const kind = random.pick(['valid', 'valid', 'boundary', 'hostile', 'hostile']);
  const values = {};
  for (const parameter of operation.parameters)
    if (parameter.in === 'path' || random.chance(0.5))
      values[parameter.name] = chooseParameter(parameter, random, knownValues, kind);
  const request = {
    method: operation.method,
    path: buildPath(operation, values),
    caller: chooseCaller(random),
    headers: {},
  };
  if (operation.body) {
    const isRaw = kind === 'hostile' && random.chance(0.15);
    request.payload = isRaw
      ? random.pick(RAW_BODIES)
      : serialize(createBody(operation.body, random, knownValues, kind));
    request.headers['content-type'] =
      kind === 'hostile' && random.chance(0.1) ? random.pick(CONTENT_TYPES) : 'application/json';
    if (random.chance(0.1))
      request.headers['idempotency-key'] = random.pick(['k1', 'k2', 'ü'.repeat(3), 'x'.repeat(300)]);
  }
  return { operation, request };
}

/** Creates a request for every hostile text in every field of a body. The other fields get valid values. */
export function* createHostileRequests(operations, random, knownValues) {
  for (const operation of operations.filter(({ body }) => body))
    for (const field of Object.keys(operation.body.properties))
      for (const text of HOSTILE_TEXTS) {
        const body = { ...createBody(operation.body, random, knownValues, 'valid'), [field]: text };
        const values = Object.fromEntries(
          operation.parameters.map((parameter) => [
            parameter.name,
            chooseParameter(parameter, random, knownValues, 'valid'),
          ]),
        );
        const request = { method: operation.method, path: buildPath(operation, values), caller: 'admin' };
        yield {
          operation,
          request: { ...request, headers: { 'content-type': 'application/json' }, payload: serialize(body) },
        };
      }
}
