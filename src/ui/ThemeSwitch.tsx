import { useSyncExternalStore, type MouseEvent } from 'react';
import styled from 'styled-components';
import { color, shortTransition, radius, touchTarget } from './theme';
import { setThemeChoice, getThemeChoice, subscribeToThemeChoice, type ThemeChoice } from './themeChoice';

const Toggle = styled.button`
  display: grid;
  place-items: center;
  flex: none;
  width: ${touchTarget};
  height: ${touchTarget};
  border: 0;
  border-radius: ${radius};
  background: none;
  color: ${color.ink};
  cursor: pointer;
  transition: color ${shortTransition};
  &:hover {
    color: ${color.ember};
  }
`;

const nextChoice: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

const iconPaths: Record<ThemeChoice, string> = {
  system: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2.5v13a6.5 6.5 0 0 0 0-13Z',
  light:
    'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3zM4.2 5.6l1.4-1.4 2.1 2.1-1.4 1.4zM16.3 17.7l1.4-1.4 2.1 2.1-1.4 1.4zM5.6 19.8l-1.4-1.4 2.1-2.1 1.4 1.4zM17.7 7.7l-1.4-1.4 2.1-2.1 1.4 1.4z',
  dark: 'M20.5 14.5A8.5 8.5 0 0 1 9.5 3.5a8.5 8.5 0 1 0 11 11Z',
};

export function ThemeSwitch() {
  const choice = useSyncExternalStore(subscribeToThemeChoice, getThemeChoice, () => 'system' as const);
  const changeTheme = (event: MouseEvent) => {
    // Tells public/start.js that this click was handled, so that it is not repeated after hydration.
    event.preventDefault();
    setThemeChoice(nextChoice[choice]);
  };
  const label = `Colors: ${choice}. Change to ${nextChoice[choice]}`;
  return (
    <Toggle type="button" aria-label={label} title={label} onClick={changeTheme}>
      <svg width="22" height="22" viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" aria-hidden="true">
        <path d={iconPaths[choice]} />
      </svg>
    </Toggle>
  );
}
