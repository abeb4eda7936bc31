import { browserStorage } from '../storage';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** Read before the first paint by public/theme.js. */
const KEY = 'theme';
const CHANGED = 'themechange';

function remember(choice: ThemeChoice) {
  if (choice === 'system') browserStorage.remove(KEY);
  else browserStorage.write(KEY, choice);
}

function show(choice: ThemeChoice) {
  const { dataset } = document.documentElement;
  if (choice === 'system') delete dataset.theme;
  else dataset.theme = choice;
  window.dispatchEvent(new Event(CHANGED));
}

export function choose(choice: ThemeChoice) {
  remember(choice);
  show(choice);
}

export function current(): ThemeChoice {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function subscribe(changed: () => void) {
  const elsewhere = ({ key, newValue }: StorageEvent) =>
    key === KEY && show(newValue === 'light' || newValue === 'dark' ? newValue : 'system');
  window.addEventListener(CHANGED, changed);
  window.addEventListener('storage', elsewhere);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener('storage', elsewhere);
  };
}
