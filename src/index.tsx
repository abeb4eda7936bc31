import { setupListeners } from '@reduxjs/toolkit/query';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { readConfig } from './config';
import { fillCache, readInitialData, refreshCache } from './app/initialData';
import { Root } from './app/Root';
import { loadRecorder } from './app/loadRecorder';
import { makeStore } from './app/store';
import { lazySession } from './session/lazySession';
import { recordActions, recordError } from './recorder/buffer';
import { withOneRetry, whenHydratedAndIdle } from './ui/deferredComponent';

function logAndRecord(error: unknown) {
  // React logs errors only if it has no handler, so this handler must log them.
  // eslint-disable-next-line no-console
  console.error(error);
  recordError(error);
}

function openShop() {
  const config = readConfig(document);
  const session = lazySession(
    () => withOneRetry(() => import(/* webpackChunkName: "firebase" */ './session/session')),
    config.identity,
  );
  const store = makeStore({ renew: session.renew }, recordActions);
  const data = readInitialData(document);
  fillCache(store, data);

  const initialState = store.getState();
  // In a transition, React yields to the browser between pieces of hydration.
  startTransition(() => {
    hydrateRoot(
      document.getElementById('root')!,
      <BrowserRouter>
        <Root store={store} config={config} commands={session.commands} initialState={initialState} />
      </BrowserRouter>,
      { onCaughtError: logAndRecord },
    );
  });

  setupListeners(store.dispatch);
  session.start(store);
  refreshCache(store, data);
  void whenHydratedAndIdle()
    .then(loadRecorder)
    .catch(() => undefined);
  void whenHydratedAndIdle()
    .then(() => import(/* webpackChunkName: "prefetch" */ './app/prefetch'))
    .then(
      ({ prefetchLinkTargets }) => prefetchLinkTargets(store),
      () => undefined,
    );
}

/** A separate task lets the browser handle input between module evaluation and hydration. */
setTimeout(() => {
  const file = document.getElementById('replay-file')?.textContent;
  if (file)
    void import(/* webpackChunkName: "replay" */ './app/replay/openReplay').then((chunk) => chunk.openReplay(file));
  else openShop();
});
