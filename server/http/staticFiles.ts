import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import { join } from 'node:path';
import { findProjectRoot } from '../projectRoot';
import type { App } from './fastify';

const YEAR_MS = 31_536_000_000;
const PUBLIC_FOLDERS = ['images', 'icons'];

type StaticOptions = Omit<FastifyStaticOptions, 'root'>;

/** The name of each file contains a hash of its content, so browsers may cache the file for a year. */
const assets = {
  prefix: '/assets/',
  preCompressed: true,
  maxAge: YEAR_MS,
  immutable: true,
  index: false,
  setHeaders: (reply) => void reply.setHeader('vary', 'Accept-Encoding'),
} satisfies StaticOptions;

const publicFiles = {
  preCompressed: true,
  allowedPath: (path: string) => !/\.(br|gz)$/.test(path),
  decorateReply: false,
  index: false,
  cacheControl: false,
  setHeaders: (reply) => {
    reply.setHeader('cache-control', 'public, max-age=3600');
    reply.setHeader('vary', 'Accept-Encoding');
  },
} satisfies StaticOptions;

/** Serves the built scripts and fonts, and the files of `public/` that browsers request. */
export async function registerStaticFiles(app: App): Promise<void> {
  const client = join(findProjectRoot(), 'dist/client');
  await app.register(fastifyStatic, { ...assets, root: join(client, 'assets') });
  const root = join(client, 'public');
  for (const folder of PUBLIC_FOLDERS)
    await app.register(fastifyStatic, { ...publicFiles, root: join(root, folder), prefix: `/${folder}/` });
  const globIgnore = ['page.html', '*.js', '*.{br,gz}', ...PUBLIC_FOLDERS.map((folder) => `${folder}/**`)];
  await app.register(fastifyStatic, { ...publicFiles, root, wildcard: false, globIgnore });
}
