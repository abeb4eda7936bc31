/** The calls that are being sent again because no answer came, each with what it sends. */
const resends = new Map<AbortController, string>();
const watchers = new Set<() => void>();

function announce() {
  for (const watcher of watchers) watcher();
}

export function addResend(call: AbortController, what: string): void {
  resends.set(call, what);
  announce();
}

export function removeResend(call: AbortController): void {
  if (resends.delete(call)) announce();
}

export const lastResend = () => [...resends.values()].at(-1);

export function watchResends(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function giveUpResends(): void {
  for (const call of resends.keys()) call.abort();
}
