export interface Toast {
  kind: 'success' | 'error';
  text: string;
}

const pending: Toast[] = [];
const watchers = new Set<() => void>();
/** Until the first toast, its code is not needed. */
let hasNotified = false;

function add(toast: Toast) {
  hasNotified = true;
  pending.push(toast);
  for (const watcher of watchers) watcher();
}

/** Shows a sentence at the top right for a while. */
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
