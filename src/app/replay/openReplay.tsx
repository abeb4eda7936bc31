import { createRoot } from 'react-dom/client';
import { readConfig } from '../../config';
import type { SessionFile } from '../../recorder/format';
import { GlobalStyle } from '../../ui/GlobalStyle';
import { ReplayApp } from './ReplayApp';
import { replaySession } from './replaySession';

/** @param text a saved session, as `scripts/replay.mjs` puts it into the page */
export function openReplay(text: string): void {
  const { notice, ...file } = JSON.parse(text) as SessionFile & { notice?: string };
  const steps = replaySession(file);
  Object.assign(window, { replayed: steps.map(({ action, isSame }) => ({ action, isSame })) });
  createRoot(document.getElementById('root')!).render(
    <>
      <GlobalStyle />
      <ReplayApp steps={steps} config={readConfig(document)} notice={notice} />
    </>,
  );
  window.dispatchEvent(new Event('hydrated'));
}
