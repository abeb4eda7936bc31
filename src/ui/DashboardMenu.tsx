import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import styled from 'styled-components';
import { AccountBadge } from './AccountBadge';
import { countStyle } from './countStyle';
import { Content, Stack } from './page';
import { color, media, shortTransition, radius, space, touchTarget } from './theme';

const Frame = styled(Content)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: start;
  gap: ${space(6)};
  padding-block: ${space(4)} ${space(16)};
  ${media.nav} {
    grid-template-columns: 208px minmax(0, 1fr);
    gap: ${space(10)};
    padding-block: ${space(10)} ${space(24)};
  }
  @media print {
    display: block;
    padding: 0;
  }
`;

const Sidebar = styled.nav`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(1)};
  padding-bottom: ${space(2)};
  border-bottom: 1px solid ${color.line};
  ${media.nav} {
    display: block;
    padding: 0;
    border: 0;
  }
`;

/** On narrow screens, the items and the account badge are in the same flex container, so that they wrap together. */
const Items = styled.ul`
  display: contents;
  ${media.nav} {
    display: grid;
    gap: ${space(1)};
    margin-top: ${space(4)};
  }
`;

const MenuLink = styled(NavLink)`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  min-height: ${touchTarget};
  padding-inline: ${space(2)};
  border-radius: ${radius};
  color: ${color.ink};
  font-weight: 400;
  text-decoration: none;
  white-space: nowrap;
  transition: background-color ${shortTransition};
  &:hover {
    color: ${color.ember};
  }
  &:focus-visible {
    outline-offset: -3px;
  }
  &[data-waiting]::after {
    ${countStyle}
    content: attr(data-waiting);
  }
  &[aria-current='page'] {
    background: ${color.line};
    box-shadow: inset 0 -3px ${color.ink};
    font-weight: 600;
  }
  ${media.nav} {
    padding-inline: ${space(3)};
    &[aria-current='page'] {
      box-shadow: inset 3px 0 ${color.ink};
    }
  }
`;

/** Aligned to the start, so that the rows of a short page are not stretched to the menu's height. */
const PageArea = styled(Stack)`
  align-content: start;
`;

/** `waiting` is how much work waits on the page, and its name for screen readers. */
export type MenuItem = { to: string; label: string; waiting?: { count: string; name: string } | undefined };
type DashboardMenuProps = { items: MenuItem[]; email: string; children: ReactNode };

/** The dashboard's menu with the current page beside it, or below it on narrow screens. */
export function DashboardMenu({ items, email, children }: DashboardMenuProps) {
  return (
    <Frame>
      <Sidebar aria-label="Dashboard">
        <AccountBadge email={email} />
        <Items>
          {items.map(({ to, label, waiting }) => (
            <li key={to}>
              <MenuLink
                to={to}
                end
                data-waiting={waiting?.count}
                aria-label={waiting && `${label}, ${waiting.count} ${waiting.name}`}
              >
                {label}
              </MenuLink>
            </li>
          ))}
        </Items>
      </Sidebar>
      <PageArea $gap={6}>{children}</PageArea>
    </Frame>
  );
}
