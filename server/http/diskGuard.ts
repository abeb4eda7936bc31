import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { storageFull } from './problems';
import type { App } from './fastify';

const NEEDED_BYTES = 128 * 1024 * 1024;
const LOOK_AGAIN_MS = 1000;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** How many bytes are left for the database. */
export type FreeBytes = () => Promise<number>;

export const freeIn =
  (folder: string): FreeBytes =>
  async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };

/** PostgreSQL stops altogether when its log cannot grow: well before that the shop keeps nothing new and goes on showing. */
export function useStorageGuard(app: App, freeBytes: FreeBytes | undefined, log: Logger): void {
  if (!freeBytes) return;
  let looked = -Infinity;
  let full = false;
  let answer = Promise.resolve(false);

  async function look() {
    const isFull = (await freeBytes!()) < NEEDED_BYTES;
    if (isFull && !full)
      log.error('less than 128 MB are left for the database: nothing new is taken until there is more');
    if (full && !isFull) log.warn('there is room for the database again');
    return (full = isFull);
  }

  app.addHook('onRequest', async ({ method }) => {
    if (READS.includes(method)) return;
    if (performance.now() - looked > LOOK_AGAIN_MS) {
      looked = performance.now();
      answer = look();
    }
    if (await answer) throw storageFull();
  });
}
