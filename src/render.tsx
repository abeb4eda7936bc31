import type { ReactElement } from 'react';
/** Node's own build of it keeps async_hooks on, which makes every promise and timer of the server dearer for good. */
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

/** Which route a path is of, and the chunks of its page; pattern null: the not-found page. */
export function routeOf(path: string): { pattern: string | null; chunks: string[] } {
  return rows.find(({ pattern }) => matchPath(pattern, path)) ?? { pattern: null, chunks: [notFound.chunk] };
}

const noSession = { renew: () => Promise.resolve(false) };

/** Nothing is pressed on the server. */
const NO_COMMANDS = {} as SessionCommands;

/** No part is moved to the end and put in place by an inline script, which the page's policy forbids. */
const WHOLE = Number.MAX_SAFE_INTEGER;

/** React writes what belongs into the head before everything else. */
const HOISTED = /^(?:<(?:link|meta)\b[^>]*>|<title>[^<]*<\/title>)*/;

async function htmlOf(element: ReactElement): Promise<string> {
  const { prelude } = await prerender(element, { progressiveChunkSize: WHOLE });
  return new Response(prelude).text();
}

/**
 * What styles all pages alike, the fonts among it, in a tag of its own: styled-components moves the rules of its tags
 * when it starts, and adds to them later. Were a font among those, the browser would lay the whole page out again each time.
 */
async function commonStyle(): Promise<string> {
  const sheet = new ServerStyleSheet();
  await htmlOf(sheet.collectStyles(<GlobalStyle />));
  const rules = sheet.getStyleTags().replace(/<[^<>]*>|\/\*!sc\*\/|\n|data-styled\.[^{]*\{[^}]*\}/g, '');
  sheet.seal();
  return `<style>${rules}</style>`;
}

/**
 * A page as the browser will first make it: head tags, body and style, to be put into the template. What styles all
 * pages alike is in their HTML alone and no part of the scripts, and so is what search engines read of the tools.
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
    const common = await commonStyle();
    const html = await htmlOf(sheet.collectStyles(page));
    const head = HOISTED.exec(html)![0];
    const products = data.tools ? await htmlOf(<ToolData tools={data.tools} origin={config.origin} />) : '';
    return { head: head + products, body: html.slice(head.length), style: common + sheet.getStyleTags() };
  } finally {
    store.dispatch(apiSlice.util.resetApiState());
    sheet.seal();
  }
}
