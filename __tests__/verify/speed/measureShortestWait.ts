import { request, type OutgoingHttpHeaders } from 'node:http';

export interface Attack {
  path: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

const MAX_TRIES = 20;

/** Sends a request unchanged. `fetch` would normalize or refuse it. */
function send(origin: string, { path, method = 'GET', headers, body }: Attack): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const clientRequest = request({ hostname, port, path, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    clientRequest.on('error', reject).end(body);
  });
}

/** Measures how many milliseconds a minimal request takes when it is sent right after the attack. */
async function measureWaitBehind(origin: string, attack: Attack): Promise<number> {
  const attackEnded = send(origin, attack);
  const start = performance.now();
  await send(origin, { path: '/healthz' });
  const waitedMs = performance.now() - start;
  await attackEnded;
  return waitedMs;
}

/**
 * Measures how long an attack delays a minimal request. Stops below `acceptableMs` or after 20 measurements, because a
 * busy machine adds delays to some of them.
 * @returns the shortest wait, in milliseconds
 */
export async function measureShortestWait(origin: string, attack: Attack, acceptableMs: number): Promise<number> {
  let shortest = Infinity;
  for (let tries = 0; tries < MAX_TRIES && shortest >= acceptableMs; tries++)
    shortest = Math.min(shortest, await measureWaitBehind(origin, attack));
  return shortest;
}
