export interface Toast {
  kind: 'success' | 'error';
  text: string;
}

const pending: Toast[] = [];
const watchers = new Set<() => void>();
/** The toast chunk is not needed before the first toast. */
let hasNotified = false;

function add(toast: Toast) {
  hasNotified = true;
  pending.push(toast);
  for (const watcher of watchers) watcher();
}

/** Shows a toast. */
export const notify = {
  success: (text: string) => add({ kind: 'success', text }),
  error: (text: string) => add({ kind: 'error', text }),
};

export const takePendingToasts = (): Toast[] => pending.splice(0);
export const hasEverNotified = () => hasNotified;
export function watchToasts(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
