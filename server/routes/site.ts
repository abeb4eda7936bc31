import { Type } from 'typebox';
import { isInitials } from '../../src/contract/initials';
import { toolPath } from '../../src/contract/toolPath';
import type { Deps } from '../deps';
import { renderDocsPage, docsCsp } from '../http/openapi';
import { notFound } from '../http/problems';
import { SERVED_FROM_MEMORY, type App } from '../http/fastify';

/** The sitemap has them and the tools. `/` is missing, because its canonical path is `/home`. */
const PUBLIC_PATHS = ['/home', '/blogs', '/about', '/login', '/signup'];
/** A limit of the protocol (https://www.sitemaps.org/protocol.html). */
const MAX_SITEMAP_URLS = 50_000;
const ByFile = Type.Object({ file: Type.String() });
const EXTENSION = '.svg';
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function siteRoutes(app: App, { settings, catalog }: Deps): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()));

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-security-policy', docsCsp)
      .type('text/html; charset=utf-8')
      .send(renderDocsPage(app.swagger())),
  );

  // Draws a picture of the initials for reviewers without a photo. Only letters and digits are drawn, because anyone
  // can request any path and the text must not be markup.
  const initialsOptions = { config: SERVED_FROM_MEMORY, schema: { hide: true, params: ByFile } };
  app.get('/initials/:file', initialsOptions, async (request, reply) => {
    const { file } = request.params;
    const initials = file.slice(0, -EXTENSION.length);
    if (!file.endsWith(EXTENSION) || !isInitials(initials)) throw notFound();
    return reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(drawInitials(initials));
  });

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const tools = catalog.tools.first(MAX_SITEMAP_URLS - PUBLIC_PATHS.length);
    const paths = [...PUBLIC_PATHS, ...tools.map(({ _id }) => toolPath(_id))];
    const urls = paths.map((path) => `<url><loc>${settings.publicUrl}${path}</loc></url>`).join('');
    const text = `${XML_DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
    return reply.header('cache-control', 'public, max-age=3600').type('application/xml; charset=utf-8').send(text);
  });

  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) => {
    const rules = 'User-agent: *\nDisallow: /dashboard\nDisallow: /purchase\n';
    const text = `${rules}\nSitemap: ${settings.publicUrl}/sitemap.xml\n`;
    return reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text);
  });
}

const COLORS = [
  { background: '#b83a0e', shade: '#932c08', ink: '#fff3ea' },
  { background: '#3f5560', shade: '#33464f', ink: '#eaf1f4' },
  { background: '#4b535b', shade: '#3d444b', ink: '#f4e9dc' },
  { background: '#6b4a34', shade: '#563b29', ink: '#f6ead9' },
];
const FONT = "'Barlow Condensed','Arial Narrow',sans-serif";

const TICKS = Array.from({ length: 12 }, (_, n) => `M${26 + 4 * n} ${n % 5 === 0 ? 76 : 80}V84`).join('');

/** Draws initials in the style of the demo reviewers' pictures, which fits light and dark pages. */
function drawInitials(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + letter.codePointAt(0)!, 0);
  const { background, shade, ink } = COLORS[sum % COLORS.length]!;
  const size = initials.length > 2 ? 26 : 40;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path d="M0 0H96V96H0Z" fill="${background}"/>` +
    `<path d="M0 96V70L96 30V96Z" fill="${shade}"/>` +
    `<text x="48" y="60" fill="${ink}" font-family="${FONT}" font-size="${size}" font-weight="600"` +
    ` text-anchor="middle">` +
    `${initials}</text><path d="${TICKS}" stroke="${ink}" stroke-width="1.4" opacity=".65"/></svg>`
  );
}
