interface RootState {
  api: { config: object; [part: string]: object };
}

/**
 * Leaves out what a replay cannot reproduce: the subscriptions of mounted components, and a flag of RTK Query's
 * middleware.
 */
export function selectRecordableState(state: unknown): RootState {
  const { api, ...rest } = state as RootState;
  return { ...rest, api: { ...api, config: { ...api.config, middlewareRegistered: true }, subscriptions: {} } };
}
