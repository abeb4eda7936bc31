import { browserStorage } from '../storage';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** public/theme.js reads it before the first paint. */
const KEY = 'theme';
const CHANGED = 'themechange';

function saveChoice(choice: ThemeChoice) {
  if (choice === 'system') browserStorage.remove(KEY);
  else browserStorage.write(KEY, choice);
}

function applyChoice(choice: ThemeChoice) {
  const { dataset } = document.documentElement;
  if (choice === 'system') delete dataset.theme;
  else dataset.theme = choice;
  window.dispatchEvent(new Event(CHANGED));
}

export function setThemeChoice(choice: ThemeChoice) {
  saveChoice(choice);
  applyChoice(choice);
}

export function getThemeChoice(): ThemeChoice {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function subscribeToThemeChoice(onChange: () => void) {
  const followOtherTabs = ({ key, newValue }: StorageEvent) =>
    key === KEY && applyChoice(newValue === 'light' || newValue === 'dark' ? newValue : 'system');
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', followOtherTabs);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', followOtherTabs);
  };
}
