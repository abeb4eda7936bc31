/** These pages pass on the path to which the login returns, but are never that path themselves. */
export const AUTH_PATHS = ['/login', '/signup'];

const PURCHASE_PATH = /^\/purchase\/([^/?#]+)/;

/** @returns the id of the tool that the visitor wanted to order, if the router's state has such a return path */
export function readToolToOrder(state: unknown): string | undefined {
  const from = (state as { from?: unknown } | null)?.from;
  const id = PURCHASE_PATH.exec(typeof from === 'string' ? from : '')?.[1];
  return id && decodeURIComponent(id);
}
