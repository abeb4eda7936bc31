export interface Toast {
  kind: 'success' | 'error';
  text: string;
  /** The code that the text ends with. The toast has a button that copies it. */
  code?: string | undefined;
  /**
   * Whether to close all earlier toasts, for example because they are about an order that is now deleted, or because
   * twenty orders shipped in a row would pile up twenty of them.
   */
  replacesAll?: boolean;
}

let pending: Toast[] = [];
const watchers = new Set<() => void>();
/** Until the first toast, `Toasts` renders nothing. */
let hasNotified = false;

function add(toast: Toast) {
  hasNotified = true;
  pending = toast.replacesAll ? [toast] : [...pending, toast];
  for (const watcher of watchers) watcher();
}

export const notify = {
  success: (text: string, replacesAll?: boolean) => add({ kind: 'success', text, replacesAll }),
  failure: (text: string, code: string | undefined) => add({ kind: 'error', text, code }),
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
