interface RootState {
  api: { config: object; [part: string]: object };
}

/** Leaves out what belongs to one page load: the subscriptions of components, and the check of the middleware. */
export function recordableState(state: unknown): RootState {
  const { api, ...rest } = state as RootState;
  return { ...rest, api: { ...api, config: { ...api.config, middlewareRegistered: true }, subscriptions: {} } };
}
