import { setTimeout as sleep } from 'node:timers/promises';
import { Lost } from '../lib/client.mjs';
import { complaint } from './fits.mjs';

const HANGS_AFTER_MS = 15_000;
const TRIES = 20;

async function ask({ client, tokens }, { method, path, as, headers, payload }) {
  const token = tokens[as];
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
  const sent = {
    accept: 'application/json',
    ...headers,
    ...length,
    ...(token && { authorization: `Bearer ${token}` }),
  };
  for (let tries = 1; ; tries++) {
    const answer = await client.exchange(method, path, payload, sent);
    if (answer.status !== 503 || tries === TRIES) return answer;
    await sleep(100 * tries);
  }
}

function wrongWith({ responses }, { status, headers, body, ms }) {
  if (status >= 500) return `answers ${status}`;
  if (ms > HANGS_AFTER_MS) return `takes ${Math.round(ms)} ms`;
  const type = headers['content-type'] ?? '';
  if (status >= 400) {
    const isProblem =
      type.startsWith('application/problem+json') && body.status === status && typeof body.code === 'string';
    return isProblem ? undefined : `answers ${status} as ${type || 'nothing'}`;
  }
  const schema = responses[status]?.content?.['application/json']?.schema;
  const wrong = schema && complaint(schema, body);
  return wrong && `answers ${status} and ${wrong}`;
}

/** What is wrong with the answer to a request; undefined: nothing. */
export async function judge(scene, { operation, request }) {
  try {
    const answer = await ask(scene, request);
    scene.statuses[answer.status] = (scene.statuses[answer.status] ?? 0) + 1;
    return wrongWith(operation, answer);
  } catch (error) {
    if (error instanceof Lost || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** The same complaint with less of a request: without a field, or with a plain value. */
export async function shrink(scene, { operation, request }, wrong) {
  let smallest = request;
  const fields = () => {
    try {
      return Object.keys(JSON.parse(smallest.payload ?? '{}') ?? {});
    } catch {
      return [];
    }
  };
  for (const field of fields())
    for (const instead of [undefined, 'a', 1]) {
      const body = { ...JSON.parse(smallest.payload), [field]: instead };
      const smaller = { ...smallest, payload: JSON.stringify(body) };
      if (smaller.payload.length >= smallest.payload.length) continue;
      if ((await judge(scene, { operation, request: smaller })) === wrong) smallest = smaller;
    }
  return smallest;
}
