import { setupListeners } from '@reduxjs/toolkit/query';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { readConfig } from './config';
import { fillCache, readInitialData, refreshCache } from './app/initialData';
import { Root } from './app/Root';
import { prefetchPage } from './app/routes';
import { createStore } from './app/store';
import { createLazySession } from './session/lazySession';
import { withOneRetry, whenHydratedAndIdle } from './ui/deferredComponent';

function openShop() {
  const config = readConfig(document);
  const session = createLazySession(
    () => withOneRetry(() => import(/* webpackChunkName: "firebase" */ './session/session')),
    config,
  );
  const store = createStore({ renew: session.renew });
  const data = readInitialData(document);
  fillCache(store, data);

  // A page that needs a login is rendered after hydration. Its chunk is in the HTML, and must have run by then.
  prefetchPage(window.location);
  const initialState = store.getState();
  // In a transition, React hydrates the page piece by piece and lets the browser handle input in between.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <BrowserRouter>
        <Root store={store} config={config} commands={session.commands} initialState={initialState} />
      </BrowserRouter>,
    );
  });

  setupListeners(store.dispatch);
  session.start(store);
  refreshCache(store, data);
  void whenHydratedAndIdle()
    .then(() => import(/* webpackChunkName: "prefetch" */ './app/prefetch'))
    .then(
      ({ prefetchTargets }) => prefetchTargets(store),
      () => undefined,
    );
}

/**
 * Starts in a task of its own. Otherwise the browser could not handle input between evaluating the scripts and
 * hydrating the page.
 */
setTimeout(openShop);
