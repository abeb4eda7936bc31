import { setImmediate } from 'node:timers/promises';
import type { Random } from '../../../tools/simulate/random';

const originalFetch = globalThis.fetch;

/**
 * Delivers the API's requests and responses one at a time, in random order. Loses some writes, before or after the
 * server has carried them out.
 */
export function createSlowNetwork(random: Random) {
  let waiting: (() => void)[] = [];
  let atServer: Promise<unknown> | undefined;
  const turn = () => new Promise<void>((resolve) => waiting.push(resolve));

  const slowFetch: typeof fetch = async (request, init) => {
    if (!(request instanceof Request)) return originalFetch(request, init);
    const isLost = request.method !== 'GET' && random.chance(0.25);
    const isSent = !isLost || request.method === 'PATCH' || random.chance(0.5);
    await turn();
    const response = isSent ? originalFetch(request, init).then(async (answer) => [answer, await answer.blob()]) : null;
    atServer = response ?? undefined;
    const [answer, body] = ((await response) ?? []) as [Response, Blob];
    await turn();
    if (isLost) throw new TypeError('The response is lost.');
    return new Response(answer.status === 204 ? null : body, answer);
  };

  async function drain() {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      await setImmediate();
      await atServer;
      if (waiting.length === 0) continue;
      quiet = 0;
      const next = random.pick(waiting);
      waiting = waiting.filter((resolve) => resolve !== next);
      next();
    }
  }
  return { slowFetch, drain };
}
