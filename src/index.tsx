import { setupListeners } from '@reduxjs/toolkit/query';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { readConfig } from './config';
import { fillCache, readFirstData, refreshCache } from './app/initialData';
import { prefetchOnIntent } from './app/prefetch';
import { Root } from './app/Root';
import { makeSession } from './session/session';
import { makeStore } from './app/store';
import { lazyIdentity } from './session/lazyIdentity';

/** In a task of its own: between the running of the modules and this the browser may answer. */
setTimeout(() => {
  const config = readConfig(document);
  const firebase = () => import(/* webpackChunkName: "firebase" */ './session/firebaseIdentity');
  const identity = lazyIdentity(async () => (await firebase()).firebaseIdentity(config.identity));

  const session = makeSession(identity);
  const store = makeStore(session.extra);
  const data = readFirstData(document);
  fillCache(store, data);

  const first = store.getState();
  // A transition lets the browser answer between the pieces of hydration.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <BrowserRouter>
        <Root store={store} config={config} actions={session.actions} first={first} />
      </BrowserRouter>,
    );
  });

  setupListeners(store.dispatch);
  session.start(store);
  refreshCache(store, data);
  prefetchOnIntent(store);
});
