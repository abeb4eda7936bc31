import { setTimeout as sleep } from 'node:timers/promises';

const RETRYABLE = [502, 503, 504];
const TRIES = 40;
const RETRY_DELAY_MS = 250;

/**
 * Wraps a client so that it retries reads and writes after a 502, 503 or 504. With `serversAreKilled`, it also retries
 * after a lost response. `retries.count` is the number of retries.
 */
export function withRetries(client, { serversAreKilled = false } = {}) {
  const retries = { count: 0 };
  const send = async (...args) => {
    for (let tries = 1; ; tries++) {
      try {
        const response = await client.send(...args);
        if (!RETRYABLE.includes(response.status) || tries === TRIES) return response;
      } catch (error) {
        if (!serversAreKilled || tries === TRIES) throw error;
      }
      retries.count++;
      await sleep(RETRY_DELAY_MS);
    }
  };
  return { ...client, send, retries };
}
