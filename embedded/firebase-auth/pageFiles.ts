import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { IdentityService } from './service';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Serves files of the folder `pages`, which work without the application. */
export function servePageFiles(
  app: FastifyInstance,
  { folder }: Pick<IdentityService, 'folder'>,
  files: Record<string, string>,
): void {
  for (const [path, name] of Object.entries(files)) {
    const content = readFileSync(join(folder, 'pages', name), 'utf8');
    app.get(path, (_request, reply) =>
      reply
        .type(CONTENT_TYPES[extname(name)]!)
        .header('content-security-policy', CONTENT_SECURITY_POLICY)
        .send(content),
    );
  }
}
