import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TOOLS_IN_HTML } from '../../src/contract/limits';
import type { CatalogTable } from '../catalog/catalogQueries';
import type { Deps } from '../deps';
import { EMPTY_STYLE, hashOf, pagePolicy } from '../http/securityHeaders';
import { readInlineScripts } from './inlineScripts';
import { cacheResponse, type CachedResponse } from '../http/cachedResponse';
import { firstReviews } from '../catalog/reviewRules';
import { projectRoot } from '../projectRoot';

/** What the SPA's second bundle offers. */
interface Renderer {
  routeOf(path: string): { pattern: string | null; chunks: string[] };
  render(url: string, data: object, config: object): Promise<{ head: string; body: string; style: string }>;
}

export interface Pages {
  send(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** Makes the home page before anyone asks. */
  warm(): Promise<void>;
}

const REMAKE_MS = 1000;
/** In the order in which they run, each in a task of its own; a page's own parts come before the last. */
const ENTRIES = ['react', 'store'];
const NOBODY_IS_THERE = '/not-found';
/** Which data stand in a page's HTML; a page without any is made once. */
const DATA: Record<string, CatalogTable[]> = { '/': ['tools', 'reviews'], '/home': ['tools', 'reviews'] };

const dataBlock = (id: string, value: unknown) =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

type Needed = Pick<Deps, 'settings' | 'catalog' | 'sendCached'>;

/** @param config the settings that every page may know */
export function openPages(
  { settings, catalog: catalogue, sendCached }: Needed,
  config: object,
  onTrouble: (error: Error) => void,
): Pages {
  const root = projectRoot();
  const { routeOf, render } = createRequire(__filename)(join(root, 'dist/renderer/index.js')) as Renderer;
  const template = readFileSync(join(root, 'public/page.html'), 'utf8');
  const { groups } = JSON.parse(readFileSync(join(root, 'dist/client/manifest.json'), 'utf8')) as Manifest;
  const inline = readInlineScripts();
  const made = new Map<string, Promise<CachedResponse> | CachedResponse>();
  const askedFor = new Set<string>();
  const stale = new Set<string>();
  const remaking = new Set<string>();

  const firstData = (parts: CatalogTable[]) => ({
    ...(parts.includes('tools') && { tools: catalogue.tools.first(TOOLS_IN_HTML) }),
    ...(parts.includes('reviews') && { reviews: firstReviews(catalogue.reviews) }),
  });

  async function make(url: string): Promise<CachedResponse> {
    const { pattern, chunks } = routeOf(url);
    const needs = DATA[pattern ?? ''] ?? [];
    const data = firstData(needs);
    const { head, body, style } = await render(url, data, config);
    const files = [...new Set([...ENTRIES, ...chunks, 'main'].flatMap((name) => groups[name] ?? []))];
    const parts = files.filter((file) => file.endsWith('.js')).map((file) => `/assets/${file}`);
    const html = fill(template, {
      head: head + style,
      body,
      data: dataBlock('app-config', config) + (needs.length > 0 ? dataBlock('app-data', data) : ''),
      parts: parts.join(' '),
      theme: inline.theme,
      start: inline.start,
    });
    const hashes = [...style.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text]) => hashOf(text!));
    const status = pattern === null ? 404 : 200;
    const policy = pagePolicy(settings, [...hashes, EMPTY_STYLE], inline.hashes);
    return cacheResponse(html, { type: 'text/html; charset=utf-8', status, policy });
  }

  /** Renders beside the requests, at most once a second. Requests in between get the page that was. */
  function remakeSoon(url: string) {
    remaking.add(url);
    setTimeout(() => {
      stale.delete(url);
      make(url)
        .then(
          (page) => made.set(url, page),
          (error) => (stale.add(url), onTrouble(error)),
        )
        .finally(() => {
          remaking.delete(url);
          if (stale.delete(url)) refresh(url);
        });
    }, REMAKE_MS).unref();
  }

  /** A page that nobody asked for since it was rendered is dropped: rendering it took 5 % of the time of an order. */
  function refresh(url: string) {
    if (remaking.has(url)) stale.add(url);
    else if (askedFor.delete(url)) remakeSoon(url);
    else made.delete(url);
  }

  /** One page for all paths of a route; each is itself a path of that route. */
  function urlOf(path: string): string {
    const { pattern } = routeOf(path);
    return pattern === null ? NOBODY_IS_THERE : pattern.replaceAll(':', '');
  }

  function pageAt(url: string): Promise<CachedResponse> | CachedResponse {
    askedFor.add(url);
    const found = made.get(url);
    if (found) return found;
    const making = make(url);
    made.set(url, making);
    making.then(
      (page) => made.set(url, page),
      () => made.delete(url),
    );
    return making;
  }

  catalogue.onChange((part) => {
    for (const [url, parts] of Object.entries(DATA)) if (parts.includes(part) && made.has(url)) refresh(url);
  });

  return {
    send(request, reply) {
      const path = pathOf(request);
      const page = pageAt(made.has(path) ? path : urlOf(path));
      if (page instanceof Promise) return page.then((rendered) => sendCached(request, reply, rendered));
      return sendCached(request, reply, page);
    },
    async warm() {
      await Promise.all(['/', NOBODY_IS_THERE].map(pageAt));
    },
  };
}

interface Manifest {
  groups: Record<string, string[]>;
}

/** The path without its trailing slashes. A loop, because `/\/+$/` takes quadratic time on a path of slashes. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0]!;
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const fill = (template: string, parts: Record<string, string>) =>
  template.replace(/\{\{(\w+)\}\}/g, (_mark, name: string) => parts[name] ?? '');
