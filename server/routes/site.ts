import { Type } from 'typebox';
import { isInitials } from '../../src/contract/initials';
import type { Deps } from '../deps';
import { docsPage, docsPolicy } from '../http/openapi';
import { notFound } from '../http/problems';
import { initialsPicture } from '../catalog/initialsImage';
import { SERVED_FROM_MEMORY, type App } from '../http/fastify';

/** Each by its canonical address: `/` shows `/home`. */
const PUBLIC_PATHS = ['/home', '/blogs', '/about', '/login', '/signup'];
const ByFile = Type.Object({ file: Type.String() });
const EXTENSION = '.svg';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What is not the shop itself: its contract to read, and what robots ask for. */
export function siteRoutes(app: App, { settings }: Deps): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()));

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('content-security-policy', docsPolicy).type('text/html; charset=utf-8').send(docsPage(app.swagger())),
  );

  /** For reviewers without a photo. Anyone can ask for any path, so only letters and digits are drawn. */
  const ofInitials = { config: SERVED_FROM_MEMORY, schema: { hide: true, params: ByFile } };
  app.get('/initials/:file', ofInitials, async (request, reply) => {
    const { file } = request.params;
    const initials = file.slice(0, -EXTENSION.length);
    if (!file.endsWith(EXTENSION) || !isInitials(initials)) throw notFound();
    return reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(initialsPicture(initials));
  });

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const urls = PUBLIC_PATHS.map((path) => `<url><loc>${settings.publicUrl}${path}</loc></url>`).join('');
    const text = `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
    return reply.header('cache-control', 'public, max-age=3600').type('application/xml; charset=utf-8').send(text);
  });

  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) => {
    const text = `User-agent: *\nDisallow: /dashboard\nDisallow: /purchase\n\nSitemap: ${settings.publicUrl}/sitemap.xml\n`;
    return reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text);
  });
}
