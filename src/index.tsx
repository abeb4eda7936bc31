import { setupListeners } from '@reduxjs/toolkit/query';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { readConfig } from './config';
import { fillCache, readInitialData, refreshCache } from './app/initialData';
import { Root } from './app/Root';
import { makeStore } from './app/store';
import { lazySession } from './session/lazySession';
import { withOneRetry, whenHydratedAndIdle } from './ui/deferredComponent';

/** In a task of its own: between the running of the modules and this the browser may answer. */
setTimeout(() => {
  const config = readConfig(document);
  const session = lazySession(
    () => withOneRetry(() => import(/* webpackChunkName: "firebase" */ './session/session')),
    config.identity,
  );
  const store = makeStore({ renew: session.renew });
  const data = readInitialData(document);
  fillCache(store, data);

  const first = store.getState();
  // A transition lets the browser answer between the pieces of hydration.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <BrowserRouter>
        <Root store={store} config={config} commands={session.commands} first={first} />
      </BrowserRouter>,
    );
  });

  setupListeners(store.dispatch);
  session.start(store);
  refreshCache(store, data);
  void whenHydratedAndIdle()
    .then(() => import(/* webpackChunkName: "prefetch" */ './app/prefetch'))
    .then(
      ({ prefetchOnIntent }) => prefetchOnIntent(store),
      () => undefined,
    );
});
