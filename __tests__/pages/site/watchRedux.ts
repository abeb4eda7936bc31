type State = unknown;
type Action = { type: string };
type Reducer = (state: State, action: Action) => State;
type CreateStore = (reducer: Reducer, preloaded?: State) => unknown;
type Enhancer = (createStore: CreateStore) => CreateStore;

/** Runs in the page. Replaces the Redux DevTools extension, and logs everything that it would receive. */
export function watchRedux(): void {
  const reduxLog: string[] = [];
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
  Object.assign(window, { reduxLog, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose });
}
