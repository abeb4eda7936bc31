type State = unknown;
type Action = { type: string };
type Reducer = (state: State, action: Action) => State;
type CreateStore = (reducer: Reducer, preloaded?: State) => unknown;
type Enhancer = (createStore: CreateStore) => CreateStore;

/** Runs in the page: stands where Redux DevTools do, and keeps what they would be shown. */
export function watchRedux(): void {
  const told: string[] = [];
  const withHeaders = (_key: string, value: unknown) =>
    value instanceof Request || value instanceof Response ? { url: value.url, headers: [...value.headers] } : value;
  const telling =
    (createStore: CreateStore): CreateStore =>
    (reducer, preloaded) =>
      createStore((state, action) => {
        const next = reducer(state, action);
        told.push(JSON.stringify({ action, next }, withHeaders));
        return next;
      }, preloaded);
  const compose =
    () =>
    (...enhancers: Enhancer[]): Enhancer =>
    (createStore) =>
      enhancers.reduceRight((make, enhance) => enhance(make), telling(createStore));
  Object.assign(window, { told, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose });
}
