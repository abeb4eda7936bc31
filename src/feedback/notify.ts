export interface Note {
  kind: 'good' | 'bad';
  text: string;
}

const waiting: Note[] = [];
const watchers = new Set<() => void>();
let ever = false;

function add(note: Note) {
  ever = true;
  waiting.push(note);
  for (const watcher of watchers) watcher();
}

/** Says something to the person, at the top right, for a while. */
export const notify = {
  good: (text: string) => add({ kind: 'good', text }),
  bad: (text: string) => add({ kind: 'bad', text }),
};

export const takeNotes = (): Note[] => waiting.splice(0);
export const hasEverNotified = () => ever;
export function watchNotes(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
