import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CORES, cpuSeconds, startNode } from './machine.mjs';

const generator = fileURLToPath(new URL('./loadGenerator.mjs', import.meta.url));
export const CONNECTIONS = 32;

/** Sends requests from a second core. Each connection sends its next request after its previous response. */
export async function runLoad({ port, pid }, options) {
  const child = startNode([generator], { core: CORES.generator, stdio: ['pipe', 'pipe', 'inherit'] });
  const cpuBefore = cpuSeconds(pid);
  child.stdin.end(JSON.stringify({ port, headers: {}, connections: CONNECTIONS, ...options }));
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  await once(child, 'close');
  const result = JSON.parse(Buffer.concat(chunks));
  const cpu = cpuBefore === undefined ? undefined : cpuSeconds(pid) - cpuBefore;
  return { ...result, cpuMicroseconds: cpu && (cpu * 1e6) / result.requests };
}
