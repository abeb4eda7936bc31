import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONTACT } from '../../src/contract/contact';
import { REVIEWS_IN_HTML, TOOLS_IN_HTML } from '../../src/contract/limits';
import { openToolIn, toolPath } from '../../src/contract/toolPath';
import type { Deps } from '../deps';
import { EMPTY_STYLE_HASH, hashOf, buildPageCsp } from '../http/securityHeaders';
import { readInlineScripts } from './inlineScripts';
import { CachedResponse } from '../http/cachedResponse';
import { selectHomePageReviews } from '../catalog/reviews';
import { findProjectRoot } from '../projectRoot';
import { createPageCache } from './pageCache';

/** The exports of the second bundle (`src/render.tsx`), which renders pages on the server. */
interface Renderer {
  routeOf(url: string): { pattern: string | null; chunks: string[] };
  render(url: string, data: object, config: object): Promise<{ head: string; body: string; style: string }>;
}

export interface Pages {
  send(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Renders the home page and the not-found page before the first request. */
  warm(): Promise<void>;
}

/** The scripts that run first on each page, in this order. The page's chunks and `main` follow them. */
const FIRST_CHUNKS = ['react', 'store'];
/** No route has this path, so the not-found page is rendered for it. */
const NOT_FOUND_URL = '/not-cached';
/** No tool has this id, so the page of an unknown tool is rendered for it. */
const UNKNOWN_TOOL_URL = toolPath('unknown');
/** Pages can be read without scripts, but signing in and ordering need them. */
const NOSCRIPT_HTML =
  '<aside aria-label="JavaScript is off">Ordering needs JavaScript. To order by phone, call ' +
  `<a href="${CONTACT.phoneHref}">${CONTACT.phone}</a>.</aside>`;
/** Besides the pages of tools, only the home page has data in its HTML. All others are rendered only once. */
const HOME_PATHS = ['/', '/home'];

const dataBlock = (id: string, value: unknown) =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

type PageDependencies = Pick<Deps, 'settings' | 'catalog' | 'sendCached'>;

/** @param config the public settings, which every page contains */
export function openPages({ settings, catalog, sendCached }: PageDependencies, config: object): Pages {
  const { tools, reviews } = catalog;
  const root = findProjectRoot();
  let renderer: Renderer | undefined;
  const getRenderer = () => (renderer ??= createRequire(__filename)(join(root, 'dist/renderer/index.js')) as Renderer);
  const template = readFileSync(join(root, 'public/page.html'), 'utf8');
  const { groups } = JSON.parse(readFileSync(join(root, 'dist/client/manifest.json'), 'utf8')) as Manifest;
  const inlineScripts = readInlineScripts();
  const cachedPage = createPageCache();

  /** @param data what the page shows, if it is in the HTML */
  async function renderPage(url: string, data?: object): Promise<CachedResponse> {
    const { pattern, chunks } = getRenderer().routeOf(url);
    const { head, body, style } = await getRenderer().render(url, data ?? {}, config);
    const files = [...new Set([...FIRST_CHUNKS, ...chunks, 'main'].flatMap((name) => groups[name] ?? []))];
    const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `/assets/${file}`);
    const html = fillTemplate(template, {
      head: head + style,
      body,
      data: dataBlock('app-config', config) + (data ? dataBlock('app-data', data) : ''),
      scripts: scripts.join(' '),
      theme: inlineScripts.theme,
      start: inlineScripts.start,
      noscript: NOSCRIPT_HTML,
    });
    const hashes = [...style.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text]) => hashOf(text!));
    const status = pattern === null || url === UNKNOWN_TOOL_URL ? 404 : 200;
    const policy = buildPageCsp(settings, [...hashes, EMPTY_STYLE_HASH], inlineScripts.hashes);
    return new CachedResponse(html, { type: 'text/html; charset=utf-8', status, policy });
  }

  /**
   * All paths of a route share one page. For example, there is one page for all tools. It is stored under the route's
   * pattern without colons.
   */
  function urlOf(path: string): string {
    const { pattern } = getRenderer().routeOf(path);
    return pattern === null ? NOT_FOUND_URL : pattern.replaceAll(':', '');
  }

  const staticPageAt = (url: string) => cachedPage(url, [], () => renderPage(url));

  const homePageAt = (url: string) =>
    cachedPage(url, [tools.version, reviews.version], () =>
      renderPage(url, {
        tools: tools.first(TOOLS_IN_HTML),
        reviews: selectHomePageReviews(reviews.first(REVIEWS_IN_HTML)),
      }),
    );

  function toolPageAt(id: string) {
    const tool = tools.row(id);
    if (!tool || tool.onSale === false) return staticPageAt(UNKNOWN_TOOL_URL);
    return cachedPage(toolPath(id), [tool, reviews.version], () => {
      const ofTool = reviews.first(REVIEWS_IN_HTML, ({ toolId }) => toolId === id);
      return renderPage(toolPath(id), { tool, reviews: selectHomePageReviews(ofTool) });
    });
  }

  function pageFor(request: FastifyRequest) {
    const path = pathOf(request);
    if (!HOME_PATHS.includes(path)) return staticPageAt(urlOf(path));
    const openTool = openToolIn(queryOf(request));
    return openTool ? toolPageAt(openTool) : homePageAt(path);
  }

  return {
    send(request, reply) {
      const page = pageFor(request);
      if (page instanceof Promise) return page.then((rendered) => sendCached(request, reply, rendered));
      return sendCached(request, reply, page);
    },
    async warm() {
      await Promise.all([homePageAt('/'), staticPageAt(NOT_FOUND_URL)]);
    },
  };
}

interface Manifest {
  groups: Record<string, string[]>;
}

const queryOf = ({ url }: FastifyRequest) => url.slice(url.indexOf('?') + 1 || url.length);

/** Removes the query and trailing slashes. Uses a loop, because `/\/+$/` takes quadratic time on many slashes. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0]!;
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const fillTemplate = (template: string, values: Record<string, string>) =>
  template.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '');
