import type { CachedResponse } from '../http/cachedResponse';

/** A page has about 60 KB, with its compressed forms. */
const MAX_PAGES = 200;
const MIN_AGE_MS = 1000;

interface CachedPage {
  version: unknown[];
  renderedAt: number;
  page: CachedResponse | Promise<CachedResponse>;
}

/** Caches the pages that were requested last. */
export function createPageCache() {
  const pages = new Map<string, CachedPage>();

  function add(url: string, version: unknown[], render: () => Promise<CachedResponse>): CachedPage {
    const rendering = render();
    const added: CachedPage = { version, renderedAt: performance.now(), page: rendering };
    rendering.then(
      (page) => (added.page = page),
      () => pages.get(url) === added && pages.delete(url),
    );
    return added;
  }

  /**
   * @param version a value that changes for each part of the page's data that changes. Then the page is rendered again
   * when it is requested, at most once a second.
   */
  return (url: string, version: unknown[], render: () => Promise<CachedResponse>): CachedPage['page'] => {
    const cached = pages.get(url);
    const isCurrent = cached?.version.every((value, index) => value === version[index]);
    const isUsable = cached && (isCurrent || performance.now() < cached.renderedAt + MIN_AGE_MS);
    const used = isUsable ? cached : add(url, version, render);
    // The first page of the map is the one that was requested longest ago.
    pages.delete(url);
    pages.set(url, used);
    if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value!);
    return used.page;
  };
}
