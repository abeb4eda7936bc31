interface RootState {
  api: { config: object; [part: string]: object };
}

/** Omits what differs in every page load: subscriptions of components, and RTK Query's flag for its middleware. */
export function recordableState(state: unknown): RootState {
  const { api, ...rest } = state as RootState;
  return { ...rest, api: { ...api, config: { ...api.config, middlewareRegistered: true }, subscriptions: {} } };
}
