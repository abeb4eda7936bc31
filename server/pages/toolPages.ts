import type { Tool } from '../../src/contract/entities';
import type { CachedResponse } from '../http/cachedResponse';

/** A page has about 60 KB, with its compressed forms. */
const MAX_PAGES = 200;

interface ToolPage {
  tool: Tool;
  renderedAt: number;
  page: CachedResponse | Promise<CachedResponse>;
}

/**
 * Caches the pages of the tools that were requested last. A page is rendered again when it is requested after its tool
 * has changed, at most once in `minAgeMs`, or after the reviews have.
 * @param render returns the page of a tool for sale
 */
export function cacheToolPages(render: (tool: Tool) => Promise<CachedResponse>, minAgeMs: number) {
  const pages = new Map<string, ToolPage>();

  function add(tool: Tool): ToolPage {
    const rendering = render(tool);
    const added: ToolPage = { tool, renderedAt: Date.now(), page: rendering };
    rendering.then(
      (page) => (added.page = page),
      () => pages.get(tool._id) === added && pages.delete(tool._id),
    );
    return added;
  }

  function get(tool: Tool): ToolPage['page'] {
    const cached = pages.get(tool._id);
    const isUsable = cached && (cached.tool === tool || Date.now() < cached.renderedAt + minAgeMs);
    const used = isUsable ? cached : add(tool);
    // The first page of the map is the one that was requested longest ago.
    pages.delete(tool._id);
    pages.set(tool._id, used);
    if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value!);
    return used.page;
  }
  return { get, clear: () => pages.clear() };
}
