import { useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { AUTH_PATHS } from './authPaths';
import { Bar, Entry, EntryButton, Group, Inner, Mark, Menu, MenuButton, Name } from './navbarStyle';
import { ThemeSwitch } from './ThemeSwitch';

export type SessionView = {
  status: 'resolving' | 'signedOut' | 'signedIn';
  displayName: string;
  email: string;
};

export type NavbarProps = { session: SessionView; onSignOut: () => void };

const pages = [
  { to: '/', label: 'Home' },
  { to: '/blogs', label: 'Blogs' },
  { to: '/about', label: 'About' },
] as const;

function Anvil() {
  return (
    <svg width="30" height="22" viewBox="0 0 30 22" fill="currentColor" aria-hidden="true">
      <path d="M0 2h9v7.5C5 9 1.4 6.5 0 2Zm10.5-2H30v4.5c-4.2 0-7 2-8 5V13c0 2.2 1.4 3.7 4 4.5V22H9v-4.5c2.6-.8 4-2.3 4-4.5v-3h-2.5V0Z" />
    </svg>
  );
}

function Account({ session, onSignOut }: NavbarProps) {
  const { pathname, search, state } = useLocation();
  const wayBack = AUTH_PATHS.includes(pathname) ? state : { from: pathname + search };
  if (session.status !== 'signedIn') {
    return (
      <li>
        <Entry to="/login" state={wayBack}>
          Login
        </Entry>
      </li>
    );
  }
  return (
    <>
      <li>
        <Entry to="/dashboard">Dashboard</Entry>
      </li>
      <li>
        <Name title={session.email}>{session.displayName || session.email}</Name>
      </li>
      <li>
        <EntryButton type="button" onClick={onSignOut}>
          Sign out
        </EntryButton>
      </li>
    </>
  );
}

export function Navbar(props: NavbarProps) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const close = () => open && menu.current?.hidePopover();
  return (
    <Bar>
      <Inner as="nav" aria-label="Main">
        <Mark to="/">
          <Anvil />
          Forgeline
        </Mark>
        <MenuButton type="button" popoverTarget={menuId} aria-expanded={open}>
          Menu
        </MenuButton>
        <Menu
          id={menuId}
          ref={menu}
          popover="auto"
          onClick={close}
          onToggle={(event) => setOpen(event.newState === 'open')}
        >
          <Group>
            {pages.map(({ to, label }) => (
              <li key={to}>
                <Entry to={to === '/' && pathname === '/home' ? pathname : to} end>
                  {label}
                </Entry>
              </li>
            ))}
          </Group>
          <Group>
            <Account {...props} />
          </Group>
        </Menu>
        <ThemeSwitch />
      </Inner>
    </Bar>
  );
}
