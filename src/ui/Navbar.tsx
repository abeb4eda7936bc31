import { useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { openToolIn } from '../contract/toolPath';
import { AnvilIcon } from './AnvilIcon';
import { AUTH_PATHS } from './authPaths';
import {
  Bar,
  BarContent,
  InvisibleItem,
  MenuGroup,
  Logo,
  Menu,
  MenuItemButton,
  MenuLink,
  MenuToggle,
  SkipLink,
  UserName,
} from './navbarStyle';
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

function Account({ session, onSignOut }: NavbarProps) {
  const { pathname, search, state } = useLocation();
  const returnState = AUTH_PATHS.includes(pathname) ? state : { from: pathname + search };
  if (session.status !== 'signedIn') {
    const Item = session.status === 'resolving' ? InvisibleItem : 'li';
    return (
      <Item>
        <MenuLink to="/login" state={returnState}>
          Login
        </MenuLink>
      </Item>
    );
  }
  return (
    <>
      <li>
        <MenuLink to="/dashboard">Dashboard</MenuLink>
      </li>
      <li>
        <UserName to="/dashboard" title={session.email}>
          {session.displayName || session.email}
        </UserName>
      </li>
      <li>
        <MenuItemButton type="button" onClick={onSignOut}>
          Sign out
        </MenuItemButton>
      </li>
    </>
  );
}

export function Navbar(props: NavbarProps) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname, search } = useLocation();
  const hasTools = ['/', '/home'].includes(pathname) && openToolIn(search) === null;
  const close = () => isOpen && menu.current?.hidePopover();
  return (
    <Bar>
      <SkipLink href="#main">Skip to main content</SkipLink>
      {hasTools && <SkipLink href="#tools">Skip to the tools</SkipLink>}
      <BarContent as="nav" aria-label="Main">
        <Logo to="/">
          <AnvilIcon />
          Forgeline
        </Logo>
        <MenuToggle type="button" popoverTarget={menuId} aria-expanded={isOpen}>
          Menu
        </MenuToggle>
        <Menu
          id={menuId}
          ref={menu}
          popover="auto"
          onClick={close}
          onToggle={(event) => setOpen(event.newState === 'open')}
        >
          <MenuGroup>
            {pages.map(({ to, label }) => (
              <li key={to}>
                <MenuLink to={to === '/' && pathname === '/home' ? pathname : to} end>
                  {label}
                </MenuLink>
              </li>
            ))}
          </MenuGroup>
          <MenuGroup>
            <Account {...props} />
          </MenuGroup>
        </Menu>
        <ThemeSwitch />
      </BarContent>
    </Bar>
  );
}
