import { Provider } from 'react-redux';
import { StyleSheetManager } from 'styled-components';
import { nested } from '../ui/nestedMedia';
import { SiteOrigin } from '../ui/Head';
import { App } from './App';
import { Config, type AppConfig } from '../config';
import { SessionCommandsContext, type SessionCommands } from '../session/hooks';
import type { AppStore, RootState } from './store';

type RootProps = {
  store: AppStore;
  config: AppConfig;
  commands: SessionCommands;
  /** What the HTML was made of, to hydrate from. */
  first?: RootState;
};

/** All that stands around the pages but the router, which server and browser choose. */
export function Root({ store, config, commands, first }: RootProps) {
  return (
    <Provider store={store} serverState={first}>
      <Config value={config}>
        <SiteOrigin value={config.origin}>
          <SessionCommandsContext value={commands}>
            <StyleSheetManager stylisPlugins={nested}>
              <App />
            </StyleSheetManager>
          </SessionCommandsContext>
        </SiteOrigin>
      </Config>
    </Provider>
  );
}
