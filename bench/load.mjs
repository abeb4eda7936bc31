import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CORES, cpuSeconds, startNode } from './machine.mjs';

const generator = fileURLToPath(new URL('./generator.mjs', import.meta.url));
export const CONNECTIONS = 32;

/** Requests as fast as the server answers, each connection waiting for its answer; from the other core. */
export async function load({ port, pid }, wanted) {
  const child = startNode([generator], { core: CORES.generator, stdio: ['pipe', 'pipe', 'inherit'] });
  const before = cpuSeconds(pid);
  child.stdin.end(JSON.stringify({ port, headers: {}, connections: CONNECTIONS, ...wanted }));
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  await once(child, 'close');
  const result = JSON.parse(Buffer.concat(parts));
  const cpu = before === undefined ? undefined : cpuSeconds(pid) - before;
  return { ...result, microseconds: cpu && (cpu * 1e6) / result.requests };
}
