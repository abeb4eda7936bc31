import { browserStorage } from '../storage';

export type Theme = 'light' | 'dark';

/** public/theme.js also reads this key of localStorage, before the page is first painted. */
const KEY = 'theme';
const CHANGED = 'themechange';
const darkThemeQuery = () => matchMedia('(prefers-color-scheme: dark)');

const asTheme = (text?: string | null): Theme | undefined => (text === 'light' || text === 'dark' ? text : undefined);

function applyTheme(theme?: Theme) {
  const { dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  window.dispatchEvent(new Event(CHANGED));
}

export function chooseTheme(theme: Theme) {
  browserStorage.write(KEY, theme);
  applyTheme(theme);
}

/** @returns the user's choice, or else the system's theme */
export const getTheme = (): Theme =>
  asTheme(document.documentElement.dataset.theme) ?? (darkThemeQuery().matches ? 'dark' : 'light');

export function subscribeToTheme(onChange: () => void) {
  const system = darkThemeQuery();
  const followOtherTabs = ({ key, newValue }: StorageEvent) => key === KEY && applyTheme(asTheme(newValue));
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', followOtherTabs);
  system.addEventListener('change', onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', followOtherTabs);
    system.removeEventListener('change', onChange);
  };
}
