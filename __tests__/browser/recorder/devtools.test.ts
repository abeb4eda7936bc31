import { browserFixture } from '../../support/browser';
import { nav, signInAsNewUser, waitUntilInteractive, waitUntilSignedIn } from '../../support/session';

const fixture = browserFixture();

type Action = { type: string; state?: object };
type State = object | undefined;
type Reducer = (state: State, action: Action) => State;
type Store = { getState: () => State; dispatch: (action: Action) => void };
type CreateStore = (reducer: Reducer, state?: State) => Store;
interface Config {
  actionSanitizer: (action: Action, id: number) => Action;
  actionsDenylist: string[];
}
interface DevTools {
  names: string[];
  states: State[];
  jumpTo: (index: number) => void;
}

/**
 * Runs in the page. Replaces the Redux DevTools extension with one that records the name and the state of each action
 * and can jump to a recorded state.
 */
function installDevTools() {
  const devTools: DevTools = { names: [], states: [], jumpTo: () => undefined };
  const compose =
    (config: Config) =>
    (...enhancers: ((create: CreateStore) => CreateStore)[]) =>
    (createStore: CreateStore) =>
      enhancers.reduceRight(
        (create, enhance) => enhance(create),
        (reducer: Reducer, preloaded?: State) => {
          const store = createStore((state, action) => {
            if (action.type === 'JUMP_TO_STATE') return action.state;
            const next = reducer(state, action);
            if (!config.actionsDenylist.some((name) => action.type.startsWith(name))) {
              devTools.names.push(config.actionSanitizer(action, devTools.names.length).type);
              devTools.states.push(next);
            }
            return next;
          }, preloaded);
          devTools.jumpTo = (index) => store.dispatch({ type: 'JUMP_TO_STATE', state: devTools.states[index]! });
          return store;
        },
      );
  Object.assign(window, { devTools, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose });
}

const readNames = () => (window as unknown as { devTools: DevTools }).devTools.names;
const jumpTo = (index: number) => (window as unknown as { devTools: DevTools }).devTools.jumpTo(index);

test('Redux DevTools lists the actions of a page by readable names, and a jump to an action shows the page as it was then', async () => {
  const { page } = fixture;
  await page.context().addInitScript(installDevTools);
  await signInAsNewUser(page);
  await page.goto('/dashboard/myorder');
  await waitUntilInteractive(page);
  await waitUntilSignedIn(page);
  await page.getByText('No orders yet').waitFor();
  const names = await page.evaluate(readNames);
  expect(names).toEqual(expect.arrayContaining(['auth/signedIn', 'listMyOrders was sent', 'listMyOrders succeeded']));
  expect(names.filter((name) => /internalSubscriptions|executeQuery/.test(name))).toEqual([]);

  await page.evaluate(jumpTo, names.indexOf('auth/signedIn') - 1);
  await nav(page).getByText('Ann Lee', { exact: true }).waitFor({ state: 'detached' });
  await page.evaluate(jumpTo, names.length - 1);
  await waitUntilSignedIn(page);
  await page.getByText('No orders yet').waitFor();
});
