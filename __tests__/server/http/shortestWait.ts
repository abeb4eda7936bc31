import { request, type OutgoingHttpHeaders } from 'node:http';

export interface Attack {
  path: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

const MOST_TRIES = 20;

/** Sends what `fetch` would normalize or refuse, to the letter. */
function send(origin: string, { path, method = 'GET', headers, body }: Attack): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

/** How long someone else waits for the smallest answer that is asked for right after `attack`. */
async function waitBehind(origin: string, attack: Attack): Promise<number> {
  const attacked = send(origin, attack);
  const start = performance.now();
  await send(origin, { path: '/healthz' });
  const waited = performance.now() - start;
  await attacked;
  return waited;
}

/** The shortest wait in milliseconds. Asks again while it is too long, because a busy machine delays everyone. */
export async function shortestWait(origin: string, attack: Attack, enoughMs: number): Promise<number> {
  let shortest = Infinity;
  for (let tries = 0; tries < MOST_TRIES && shortest >= enoughMs; tries++)
    shortest = Math.min(shortest, await waitBehind(origin, attack));
  return shortest;
}
