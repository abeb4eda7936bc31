import { Agent, request } from 'node:http';
import { URLSearchParams } from 'node:url';

const PATIENCE_MS = 30_000;

/** No answer, or half of one: the caller does not know what happened. */
export class Lost extends Error {
  constructor(cause, half) {
    super(`${half ? 'half an answer' : 'no answer'}: ${cause.message}`, { cause });
    this.half = half;
  }
}

function read(text, type = '') {
  return text !== '' && type.includes('json') ? JSON.parse(text) : text;
}

/** Calls one address, as many at once as there are sockets. */
export function clientOf(origin, sockets = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
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
    const began = performance.now();
    // The path as it is: an address would be tidied, and `/..` is one of the things to try.
    return new Promise((resolve, reject) => {
      const asked = request({ host, port, path, method, agent, headers, timeout: PATIENCE_MS }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('error', (error) => reject(new Lost(error, true)));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode: status, headers: got } = answer;
          resolve({ status, headers: got, text, body: read(text, got['content-type']), ms: performance.now() - began });
        });
      });
      asked.on('timeout', () => asked.destroy(new Error('nothing for 30 s')));
      asked.on('error', (error) => reject(new Lost(error, false)));
      asked.end(payload);
    });
  }

  return { origin, send, exchange, close: () => agent.destroy() };
}
