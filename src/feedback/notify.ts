export interface Toast {
  kind: 'success' | 'error';
  text: string;
  /** Closes all earlier toasts, because they are about something that no longer exists. */
  replacesAll?: boolean;
}

let pending: Toast[] = [];
const watchers = new Set<() => void>();
/** The page loads the toast chunk only after the first toast. */
let hasNotified = false;

function add(toast: Toast) {
  hasNotified = true;
  pending = toast.replacesAll ? [toast] : [...pending, toast];
  for (const watcher of watchers) watcher();
}

export const notify = {
  success: (text: string, replacesAll?: boolean) => add({ kind: 'success', text, replacesAll }),
  error: (text: string, replacesAll?: boolean) => add({ kind: 'error', text, replacesAll }),
};

export function takePendingToasts(): Toast[] {
  const taken = pending;
  pending = [];
  return taken;
}
export const hasEverNotified = () => hasNotified;
export function watchToasts(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
