import { useSyncExternalStore, type MouseEvent } from 'react';
import styled from 'styled-components';
import { color, shortTransition, radius, touchTarget } from './theme';
import { chooseTheme, getTheme, subscribeToTheme } from './themeChoice';

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

/** The icon is the same in both themes, because the server does not know which theme the browser will use. */
const HALF_FILLED_CIRCLE = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2.5v13a6.5 6.5 0 0 0 0-13Z';

export function ThemeSwitch() {
  const theme = useSyncExternalStore(subscribeToTheme, getTheme, () => 'light');
  const other = theme === 'light' ? 'dark' : 'light';
  const changeTheme = (event: MouseEvent) => {
    // After hydration, public/start.js repeats clicks that were not handled. This marks the click as handled.
    event.preventDefault();
    chooseTheme(other);
  };
  const label = `Switch to the ${other} theme`;
  return (
    <Toggle type="button" aria-label={label} title={label} onClick={changeTheme}>
      <svg width="22" height="22" viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" aria-hidden="true">
        <path d={HALF_FILLED_CIRCLE} />
      </svg>
    </Toggle>
  );
}
