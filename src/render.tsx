import type { ReactElement } from 'react';
/** The Node build keeps async_hooks enabled, which triples the time of each await (43 and 130 ns in a loop on Node 20). */
import { prerender } from 'react-dom/static.edge';
import { matchPath, StaticRouter } from 'react-router-dom';
import { ServerStyleSheet } from 'styled-components';
import { apiSlice } from './api/apiSlice';
import type { AppConfig } from './config';
import { fillCache, type InitialData } from './app/initialData';
import { Root } from './app/Root';
import { dashboard, dashboardPages, notFound, pages } from './app/routes';
import { makeStore } from './app/store';
import { ToolData } from './features/catalog/ToolData';
import type { SessionCommands } from './session/hooks';
import { GlobalStyle } from './ui/GlobalStyle';

const rows = [
  ...pages.map(({ path, chunk }) => ({ pattern: path, chunks: [chunk] })),
  ...dashboardPages.map(({ path, chunk }) => ({
    pattern: `/dashboard/${path}`.replace(/\/$/, ''),
    chunks: [dashboard.chunk, chunk],
  })),
];

/** @returns the route of a path and the chunks of its page. `pattern` is null for the not-found page. */
export function routeOf(path: string): { pattern: string | null; chunks: string[] } {
  return rows.find(({ pattern }) => matchPath(pattern, path)) ?? { pattern: null, chunks: [notFound.chunk] };
}

const noSession = { renew: () => Promise.resolve(false) };

/** The server handles no clicks. */
const NO_COMMANDS = {} as SessionCommands;

/** Above this size React moves parts into place with inline scripts, which the content security policy forbids. */
const NO_CHUNKING = Number.MAX_SAFE_INTEGER;

/** React writes the elements of the head first. */
const HOISTED = /^(?:<(?:link|meta)\b[^>]*>|<title>[^<]*<\/title>)*/;

async function renderToHtml(element: ReactElement): Promise<string> {
  const { prelude } = await prerender(element, { progressiveChunkSize: NO_CHUNKING });
  return new Response(prelude).text();
}

/**
 * The global style, with the fonts, in its own tag. styled-components moves the rules of its own tags when it starts
 * and adds rules later. With a font among them, the browser would lay out the whole page each time.
 */
async function renderGlobalStyle(): Promise<string> {
  const sheet = new ServerStyleSheet();
  await renderToHtml(sheet.collectStyles(<GlobalStyle />));
  const rules = sheet.getStyleTags().replace(/<[^<>]*>|\/\*!sc\*\/|\n|data-styled\.[^{]*\{[^}]*\}/g, '');
  sheet.seal();
  return `<style>${rules}</style>`;
}

/**
 * Renders the first state of a page: head, body and style for the template. The global style and the structured data of
 * the tools are in the HTML only, so the scripts need not contain them.
 */
export async function render(url: string, data: InitialData, config: AppConfig) {
  const store = makeStore(noSession);
  fillCache(store, data);
  const sheet = new ServerStyleSheet();
  try {
    const page = (
      <StaticRouter location={url}>
        <Root store={store} config={config} commands={NO_COMMANDS} />
      </StaticRouter>
    );
    const globalStyle = await renderGlobalStyle();
    const html = await renderToHtml(sheet.collectStyles(page));
    const head = HOISTED.exec(html)![0];
    const structuredData = data.tools ? await renderToHtml(<ToolData tools={data.tools} origin={config.origin} />) : '';
    return { head: head + structuredData, body: html.slice(head.length), style: globalStyle + sheet.getStyleTags() };
  } finally {
    store.dispatch(apiSlice.util.resetApiState());
    sheet.seal();
  }
}
