import { Agent, request } from 'node:http';
import { URLSearchParams } from 'node:url';

const TIMEOUT_MS = 30_000;

/** The response is missing or incomplete, so the caller does not know whether the request took effect. */
export class LostResponse extends Error {
  constructor(cause, isPartial) {
    super(`${isPartial ? 'partial response' : 'no response'}: ${cause.message}`, { cause });
    this.isPartial = isPartial;
  }
}

function parseBody(text, type = '') {
  return text !== '' && type.includes('json') ? JSON.parse(text) : text;
}

/** Creates a client for one origin. It has at most `maxSockets` requests in flight. */
export function createClient(origin, maxSockets = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const { hostname: host, port } = new URL(origin);

  function send(method, path, { token, body, form, headers } = {}) {
    const payload = form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body);
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    return exchange(method, path, payload, {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(payload !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
      ...headers,
    });
  }

  function exchange(method, path, payload, headers) {
    const startedAt = performance.now();
    // Sends the path unchanged. `new URL` would normalize `/..`, which is one of the tested paths.
    return new Promise((resolve, reject) => {
      const outgoing = request({ host, port, path, method, agent, headers, timeout: TIMEOUT_MS }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', (error) => reject(new LostResponse(error, true)));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode: status, headers: responseHeaders } = response;
          resolve({
            status,
            headers: responseHeaders,
            text,
            body: parseBody(text, responseHeaders['content-type']),
            ms: performance.now() - startedAt,
          });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no data for 30 s')));
      outgoing.on('error', (error) => reject(new LostResponse(error, false)));
      outgoing.end(payload);
    });
  }

  return { origin, send, exchange, close: () => agent.destroy() };
}
