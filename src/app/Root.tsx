import { Provider } from 'react-redux';
import { StyleSheetManager } from 'styled-components';
import { nested } from '../ui/nestedMedia';
import { SiteOrigin } from '../ui/Head';
import { App } from './App';
import { Config, type AppConfig } from '../config';
import { nobodysActions, SessionActionsContext, type SessionActions } from '../session/sessionActions';
import type { AppStore, RootState } from './store';

type RootProps = {
  store: AppStore;
  config: AppConfig;
  actions?: SessionActions;
  /** What the HTML was made of, to hydrate from. */
  first?: RootState;
};

/** All that stands around the pages but the router, which server and browser choose. */
export function Root({ store, config, actions = nobodysActions, first }: RootProps) {
  return (
    <Provider store={store} serverState={first}>
      <Config value={config}>
        <SiteOrigin value={config.origin}>
          <SessionActionsContext value={actions}>
            <StyleSheetManager stylisPlugins={nested}>
              <App />
            </StyleSheetManager>
          </SessionActionsContext>
        </SiteOrigin>
      </Config>
    </Provider>
  );
}
