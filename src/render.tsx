import type { ReactElement } from 'react';
/**
 * Uses the `edge` build, because the Node build keeps async_hooks enabled. That triples the time of each await: 130
 * instead of 43 ns in a loop on Node 20.
 */
import { prerender } from 'react-dom/static.edge';
import { matchPath, StaticRouter } from 'react-router-dom';
import { ServerStyleSheet } from 'styled-components';
import { apiSlice } from './api/apiSlice';
import type { AppConfig } from './config';
import { fillCache, type InitialData } from './app/initialData';
import { Root } from './app/Root';
import { dashboard, dashboardPages, notFound, pages, toolPage } from './app/routes';
import { createStore } from './app/store';
import { openToolIn } from './contract/toolPath';
import { ToolStructuredData } from './features/catalog/ToolStructuredData';
import type { SessionCommands } from './session/hooks';
import { GlobalStyle } from './ui/GlobalStyle';

const routes = [
  ...pages.map(({ path, chunk }) => ({ pattern: path, chunks: [chunk] })),
  ...dashboardPages.map(({ path, chunk }) => ({
    pattern: `/dashboard/${path}`.replace(/\/$/, ''),
    chunks: [dashboard.chunk, chunk],
  })),
];

/** @returns the route's pattern and the chunks of its page. `pattern` is null if the path is not found. */
export function routeOf(url: string): { pattern: string | null; chunks: string[] } {
  const [path = '', queryString = ''] = url.split('?');
  const route = routes.find(({ pattern }) => matchPath(pattern, path));
  if (!route) return { pattern: null, chunks: [notFound.chunk] };
  return openToolIn(queryString) === null ? route : { ...route, chunks: [toolPage.chunk] };
}

const noSession = { renew: () => Promise.resolve(false) };

/** No command is called during rendering on the server, because nobody clicks. */
const NO_COMMANDS = {} as SessionCommands;

/**
 * By default, React puts larger parts at the end of the HTML and moves them with inline scripts
 * (https://github.com/facebook/react/pull/33027). The content security policy forbids such scripts.
 */
const NO_CHUNKING = Number.MAX_SAFE_INTEGER;

/** Matches the elements of the head, which React writes before all others. */
const HOISTED = /^(?:<(?:link|meta)\b[^>]*>|<title>[^<]*<\/title>)*/;

async function renderToHtml(element: ReactElement): Promise<string> {
  const { prelude } = await prerender(element, { progressiveChunkSize: NO_CHUNKING });
  return new Response(prelude).text();
}

/**
 * Renders the global style, which contains the fonts, into a style tag of its own. In the browser, styled-components
 * keeps changing the style tags that it manages: it moves their rules when it starts, and adds rules later. If such a
 * tag contained fonts, the browser would lay out the whole page after each change.
 */
async function renderGlobalStyle(): Promise<string> {
  const sheet = new ServerStyleSheet();
  await renderToHtml(sheet.collectStyles(<GlobalStyle />));
  const rules = sheet.getStyleTags().replace(/<[^<>]*>|\/\*!sc\*\/|\n|data-styled\.[^{]*\{[^}]*\}/g, '');
  sheet.seal();
  return `<style>${rules}</style>`;
}

let globalStyle: Promise<string> | undefined;

/**
 * Renders a page for the template. Adds the global style and the tool's structured data here and not in a component, so
 * that they are not in the browser's scripts.
 */
export async function render(url: string, data: InitialData, config: AppConfig) {
  const store = createStore(noSession);
  fillCache(store, data);
  const sheet = new ServerStyleSheet();
  try {
    const page = (
      <StaticRouter location={url}>
        <Root store={store} config={config} commands={NO_COMMANDS} />
      </StaticRouter>
    );
    globalStyle ??= renderGlobalStyle();
    const html = await renderToHtml(sheet.collectStyles(page));
    const head = HOISTED.exec(html)![0];
    const structuredData = data.tool
      ? await renderToHtml(<ToolStructuredData tool={data.tool} origin={config.origin} />)
      : '';
    return {
      head: head + structuredData,
      body: html.slice(head.length),
      style: (await globalStyle) + sheet.getStyleTags(),
    };
  } finally {
    store.dispatch(apiSlice.util.resetApiState());
    sheet.seal();
  }
}
