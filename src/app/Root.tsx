import { Provider } from 'react-redux';
import { StyleSheetManager } from 'styled-components';
import { nestedMediaPlugins } from '../ui/nestedMedia';
import { SiteOrigin } from '../ui/Head';
import { App } from './App';
import { ConfigContext, type AppConfig } from '../config';
import { SessionCommandsContext, type SessionCommands } from '../session/hooks';
import type { AppStore, RootState } from './store';

type RootProps = {
  store: AppStore;
  config: AppConfig;
  commands: SessionCommands;
  /** For hydration: the state from which the server's HTML was rendered. */
  initialState?: RootState;
};

/** Provides all contexts except the router's, because the server uses a different router. */
export function Root({ store, config, commands, initialState }: RootProps) {
  return (
    <Provider store={store} serverState={initialState}>
      <ConfigContext value={config}>
        <SiteOrigin value={config.origin}>
          <SessionCommandsContext value={commands}>
            <StyleSheetManager stylisPlugins={nestedMediaPlugins}>
              <App />
            </StyleSheetManager>
          </SessionCommandsContext>
        </SiteOrigin>
      </ConfigContext>
    </Provider>
  );
}
