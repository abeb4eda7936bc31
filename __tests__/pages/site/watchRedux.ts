type State = unknown;
type Action = { type: string };
type Reducer = (state: State, action: Action) => State;
type CreateStore = (reducer: Reducer, preloaded?: State) => unknown;
type Enhancer = (createStore: CreateStore) => CreateStore;

/** Everything that the Redux DevTools extension would receive. */
export const reduxLog: string[] = [];

const withHeaders = (_key: string, value: unknown) =>
  value instanceof Request || value instanceof Response ? { url: value.url, headers: [...value.headers] } : value;

const withLog =
  (createStore: CreateStore): CreateStore =>
  (reducer, preloaded) =>
    createStore((state, action) => {
      const next = reducer(state, action);
      reduxLog.push(JSON.stringify({ action, next }, withHeaders));
      return next;
    }, preloaded);

const compose =
  () =>
  (...enhancers: Enhancer[]): Enhancer =>
  (createStore) =>
    enhancers.reduceRight((create, enhance) => enhance(create), withLog(createStore));

// Redux Toolkit looks for the extension when it is imported, so a test imports this file first.
Object.assign(window, { __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose });
