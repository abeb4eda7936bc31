import { setTimeout as sleep } from 'node:timers/promises';
import { LostResponse } from '../lib/client.mjs';
import { findSchemaViolation } from './findSchemaViolation.mjs';

const MAX_RESPONSE_MS = 15_000;
const MAX_TRIES = 20;

async function sendRequest({ client, tokens }, { method, path, caller, headers, payload }) {
  const token = tokens[caller];
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
  const requestHeaders = {
    accept: 'application/json',
    ...headers,
    ...length,
    ...(token && { authorization: `Bearer ${token}` }),
  };
  for (let tries = 1; ; tries++) {
    const response = await client.exchange(method, path, payload, requestHeaders);
    if (response.status !== 503 || tries === MAX_TRIES) return response;
    await sleep(100 * tries);
  }
}

function findResponseProblem({ responses }, { status, headers, body, ms }) {
  if (status >= 500) return `answers ${status}`;
  if (ms > MAX_RESPONSE_MS) return `takes ${Math.round(ms)} ms`;
  const type = headers['content-type'] ?? '';
  if (status >= 400) {
    const isProblem =
      type.startsWith('application/problem+json') && body.status === status && typeof body.code === 'string';
    return isProblem ? undefined : `answers ${status} without a valid problem body (content type "${type}")`;
  }
  const schema = responses[status]?.content?.['application/json']?.schema;
  const problem = schema && findSchemaViolation(schema, body);
  return problem && `answers ${status} and ${problem}`;
}

/** @returns what is wrong with the response, or undefined */
export async function sendAndFindProblem(scenario, { operation, request }) {
  try {
    const response = await sendRequest(scenario, request);
    scenario.statuses[response.status] = (scenario.statuses[response.status] ?? 0) + 1;
    return findResponseProblem(operation, response);
  } catch (error) {
    if (error instanceof LostResponse || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Removes or simplifies each field of the request, as long as the request still causes the same problem. */
export async function shrinkRequest(scenario, { operation, request }, problem) {
  let smallestRequest = request;
  const fields = () => {
    try {
      return Object.keys(JSON.parse(smallestRequest.payload ?? '{}') ?? {});
    } catch {
      return [];
    }
  };
  for (const field of fields())
    for (const replacement of [undefined, 'a', 1]) {
      const body = { ...JSON.parse(smallestRequest.payload), [field]: replacement };
      const smaller = { ...smallestRequest, payload: JSON.stringify(body) };
      if (smaller.payload.length >= smallestRequest.payload.length) continue;
      if ((await sendAndFindProblem(scenario, { operation, request: smaller })) === problem) smallestRequest = smaller;
    }
  return smallestRequest;
}
