interface StateWithApi {
  api: { config: object; [part: string]: object };
}

/**
 * Gives fixed values to what a replay cannot reproduce: the subscriptions of mounted components, and a flag of RTK
 * Query's middleware.
 */
export function selectRecordableState(state: unknown): StateWithApi {
  const { api, ...rest } = state as StateWithApi;
  return { ...rest, api: { ...api, config: { ...api.config, middlewareRegistered: true }, subscriptions: {} } };
}
