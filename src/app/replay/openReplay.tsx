import { createRoot } from 'react-dom/client';
import { readConfig, type AppConfig } from '../../config';
import type { SessionFile, ShownSettings } from '../../recorder/sessionFile';

import { GlobalStyle } from '../../ui/GlobalStyle';
import { describeDifference } from './describeDifference';
import { ReplayApp } from './ReplayApp';
import { replaySession } from './replaySession';

/** This server's configuration, with the customer's settings where they change what pages show. */
function configFor({ google, payments, demo }: ShownSettings): AppConfig {
  const config = readConfig(document);
  return {
    ...config,
    demo,
    identity: { ...config.identity, google } as AppConfig['identity'],
    payments: { ...config.payments, ...payments } as AppConfig['payments'],
  };
}

/** @param text a saved session, read from its file by `scripts/replay.mjs` */
export function openReplay(text: string): void {
  const { notice, ...file } = JSON.parse(text) as SessionFile & { notice?: string };
  const steps = replaySession(file);
  Object.assign(window, {
    replayed: steps.map(({ action, isSame }) => ({ action, isSame })),
    findPageDifference: (recorded: string) => describeDifference(document.querySelector('main')!, recorded),
  });
  createRoot(document.getElementById('root')!).render(
    <>
      <GlobalStyle />
      <ReplayApp steps={steps} config={configFor(file.settings)} notice={notice} />
    </>,
  );
  window.dispatchEvent(new Event('hydrated'));
}
