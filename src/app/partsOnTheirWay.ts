let count = 0;
const watchers = new Set<() => void>();

function change(by: number) {
  count += by;
  for (const watcher of watchers) watcher();
}

export const onItsWay = () => change(1);
export const arrived = () => change(-1);
export const isAnyOnItsWay = () => count > 0;
export function watchParts(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
