let count = 0;
const watchers = new Set<() => void>();

function change(by: number) {
  count += by;
  for (const watcher of watchers) watcher();
}

/** A part that is there within this time was never said to be on its way. */
const MOMENT_MS = 150;

/** What it gives is to be called when the part has come, or will not. */
export function onItsWay() {
  let said = false;
  const timer = setTimeout(() => {
    said = true;
    change(1);
  }, MOMENT_MS);
  return () => {
    clearTimeout(timer);
    if (said) change(-1);
  };
}

export const isAnyOnItsWay = () => count > 0;
export function watchParts(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
